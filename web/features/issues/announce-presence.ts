import { keepaliveApi } from '../../lib/keepalive-api.ts';
import { useAnnouncePresence } from '../../live/use-announce-presence.ts';

/** Announces to other people that this window has the issue open, while mounted. */
export function AnnouncePresence({ id }: { id: string }) {
  useAnnouncePresence('issue', id, setPresence);
  return null;
}

function setPresence(input: { id: string; window: string; here: boolean }): Promise<unknown> {
  return keepaliveApi.issues.present.mutate(input);
}
