import { Building2 } from 'lucide-react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { NoBuildings } from '../locations/pickers/no-buildings.tsx';
import { RecentBuildings } from '../locations/pickers/recent-choice.tsx';
import { DocumentSkeletons } from './browser/document-skeletons.tsx';
import { DocumentBrowser } from './document-browser.tsx';
import type { useDocumentsScope } from './use-documents-scope.ts';
import type { DocumentsNavigation } from './use-documents-state.ts';

type Props = {
  navigation: DocumentsNavigation;
  scope: ReturnType<typeof useDocumentsScope>;
  canManage: boolean;
};

/** The documents of the selected building, or a message why none can be shown. */
export function BuildingDocuments({ navigation, scope, canManage }: Props) {
  const { places, buildingId, none, isRestoring } = scope;
  if (none) return <NoBuildings />;
  if (buildingId !== undefined) {
    return (
      <DocumentBrowser
        key={buildingId}
        buildingId={buildingId}
        navigation={navigation}
        canManage={canManage}
      />
    );
  }
  if (places.status === 'error') {
    return (
      <ErrorState
        title={messageFor(places.error, messages.locations.loadFailed)}
        error={places.error}
        onRetry={places.refetch}
      />
    );
  }
  if (isRestoring || places.status === 'loading') {
    return <DocumentSkeletons view={navigation.state.view} columns={1} />;
  }
  return (
    <EmptyState
      icon={<Building2 size={20} />}
      title={documentMessages.selectBuilding}
      text={browserMessages.chooseBuilding}
      action={<RecentBuildings places={places.value} onChoose={scope.choose} />}
    />
  );
}
