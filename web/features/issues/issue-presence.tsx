import { issuePartOf } from '#shared/features/presence.vocabulary.ts';
import { presenceMessages } from '#shared/features/presence-messages.ts';
import { usePresence } from '../../live/use-presence.ts';
import { AvatarRow } from '../../ui/avatar-row.tsx';

/** Avatars of other people who have the issue open. */
export function IssuePresence({ id }: { id: string }) {
  const people = usePresence('issue', id);
  if (people.length === 0) return null;
  return <AvatarRow people={people} titleOf={presenceMessages.issueOpen} />;
}

/** Says which fields of the issue others are editing; cut off where there is no room. */
export function IssueEditing({ id }: { id: string }) {
  const text = usePresence('issue', id)
    .flatMap(({ name, part }) => {
      const field = issuePartOf(part ?? '');
      return field === undefined ? [] : presenceMessages.editing(name, field);
    })
    .join(' · ');
  if (text === '') return null;
  return (
    <span data-editing className="min-w-0 shrink-[0.5] truncate text-ink print:hidden" title={text}>
      {text}
    </span>
  );
}
