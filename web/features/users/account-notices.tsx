import { lazy, Suspense } from 'react';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { myNotices } from './notices.live.ts';

const NoticeBar = lazy(() => import('./notice-bar.tsx'));

/** What was done to one's own account and is not dismissed yet. Its words are fetched where there is something to say. */
export default function AccountNotices() {
  const { data = [] } = useLiveQuery(myNotices, undefined);
  return data.length === 0 ? null : (
    <Suspense fallback={null}>
      <NoticeBar notices={data} />
    </Suspense>
  );
}
