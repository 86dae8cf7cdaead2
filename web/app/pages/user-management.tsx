import { Suspense } from 'react';
import { UsersPage } from '../../features/users/users-page.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';

const DocumentManagement = lazyScreen(() => import('../../features/documents/document-management.tsx'));

/** User Management, with the building documents in one of its tabs. */
export default function UserManagementScreen() {
  return (
    <UsersPage
      documents={
        <Suspense fallback={<Skeleton className="appear-late h-64 rounded-card" />}>
          <DocumentManagement />
        </Suspense>
      }
    />
  );
}
