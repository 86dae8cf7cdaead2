import { useSyncExternalStore } from 'react';
import type { AccountNotice } from '#shared/features/users/users.ts';
import { Listeners } from '../../../lib/listeners.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { myNotices } from './notices.live.ts';

const listeners = new Listeners();
let dismissed: ReadonlySet<string> = new Set();

/** Hides notices on every screen once the server has answered, because the list itself is updated only a little later. */
export function hideDismissed(ids: readonly string[]): void {
  dismissed = new Set([...dismissed, ...ids]);
  listeners.tell();
}

/** Undismissed notices about the person's own account, newest first, live. */
export function useMyNotices(): AccountNotice[] {
  const { data = [] } = useLiveQuery(myNotices, undefined);
  const hidden = useSyncExternalStore(listeners.subscribe, () => dismissed);
  return data.filter(({ id }) => !hidden.has(id));
}
