import { lazy, Suspense } from 'react';
import { useMyNotices } from './use-my-notices.ts';

const NoticeBar = lazy(() => import('./notice-bar.tsx'));

/** Undismissed notices about the person's own account. Their wording is loaded only when there are any. */
export default function AccountNotices() {
  const notices = useMyNotices();
  return notices.length === 0 ? null : (
    <Suspense fallback={null}>
      <NoticeBar notices={notices} />
    </Suspense>
  );
}
