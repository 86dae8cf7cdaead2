import { lazy, Suspense } from 'react';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { myNotices } from './notices.live.ts';

const NoticeBar = lazy(() => import('./notice-bar.tsx'));

/** Undismissed notices about the person's own account. Their wording is loaded only when there are any. */
export default function AccountNotices() {
  const { data = [] } = useLiveQuery(myNotices, undefined);
  return data.length === 0 ? null : (
    <Suspense fallback={null}>
      <NoticeBar notices={data} />
    </Suspense>
  );
}
