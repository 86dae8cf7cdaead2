import { messages } from '#shared/messages.ts';
import { usePresence } from '../../../live/hooks/use-presence.ts';
import { AvatarRow } from '../../../ui/avatar-row.tsx';

/** Avatars of other people who have the issue open. */
export function IssuePresence({ id }: { id: string }) {
  const people = usePresence('issue', id);
  if (people.length === 0) return null;
  return <AvatarRow people={people} titleOf={messages.issues.openAt} />;
}
