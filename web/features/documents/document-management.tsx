import { useMemo } from 'react';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { usePermissions } from '../../lib/can.tsx';
import { Card } from '../../ui/card.tsx';
import { BuildingPicker } from '../locations/pickers/building-picker.tsx';
import { BuildingDocuments } from './building-documents.tsx';
import { useDocumentsScope } from './use-documents-scope.ts';
import { useDocumentsState } from './use-documents-state.ts';

/** The Document Management card; a grey notice for a person without the permission, or who loses it while on the page. */
export default function DocumentManagement() {
  const { can } = usePermissions();
  if (can('manage_building_documents')) return <ManagementCard />;
  return (
    <Card className="max-w-2xl bg-mute p-5">
      <p className="text-ink-2">{documentMessages.manageForbidden}</p>
    </Card>
  );
}

function ManagementCard() {
  const navigation = useDocumentsState(useMemo(() => ({ tab: 'documents' }), []));
  const scope = useDocumentsScope(navigation);
  return (
    <Card className="p-4 print:border-0 print:p-0">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-md">Document Management</h2>
        {!scope.none && (
          <div className="min-w-0 max-sm:w-full print:hidden">
            <BuildingPicker
              align="end"
              value={scope.buildingId}
              onChange={scope.choose}
              placeholder={documentMessages.selectBuilding}
              buildings={scope.places.value}
            />
          </div>
        )}
      </div>
      <BuildingDocuments navigation={navigation} scope={scope} canManage />
    </Card>
  );
}
