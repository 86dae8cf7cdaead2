import { CloudUpload, Settings2 } from 'lucide-react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { Can } from '../../lib/can.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { Page } from '../../ui/page.tsx';
import { BuildingPicker } from '../locations/pickers/building-picker.tsx';
import { BuildingDocuments } from './building-documents.tsx';
import { type DocumentsState, documentsUrl } from './documents-url.ts';
import { useDocumentsScope } from './use-documents-scope.ts';
import { useDocumentsState } from './use-documents-state.ts';

/** The page Building Documents, which is read-only; documents are managed in User Management (ruling S12). */
export default function DocumentsPage() {
  const navigation = useDocumentsState();
  const scope = useDocumentsScope(navigation);
  const { state } = navigation;
  const managedWith = (patch: Partial<DocumentsState>) =>
    `/user-management?${documentsUrl.write({ ...state, document: null, ...patch }, { tab: 'documents' }).toString()}`;
  return (
    <Page
      subtitle={documentMessages.subtitle}
      back={null}
      actions={
        !scope.none && (
          <>
            <div className="min-w-0 max-sm:flex-auto">
              <BuildingPicker
                align="end"
                value={scope.buildingId}
                onChange={scope.choose}
                placeholder={documentMessages.selectBuilding}
                buildings={scope.places.value}
              />
            </div>
            <Can permission="manage_building_documents">
              {scope.buildingId !== undefined && (
                <ButtonLink to={managedWith({ upload: true })} className="max-sm:grow-0!">
                  <CloudUpload size={16} aria-hidden />
                  Upload
                </ButtonLink>
              )}
              <ButtonLink
                to={managedWith({})}
                title={browserMessages.manageElsewhere}
                className="max-sm:grow-0!"
              >
                <Settings2 size={16} aria-hidden />
                <span className="max-sm:sr-only">{browserMessages.manageElsewhere}</span>
              </ButtonLink>
            </Can>
          </>
        )
      }
    >
      <BuildingDocuments navigation={navigation} scope={scope} canManage={false} />
    </Page>
  );
}
