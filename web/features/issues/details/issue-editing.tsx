import { issueEditingMessages } from '#shared/features/issues/issue-editing-messages.ts';
import { issuePartOf } from '#shared/features/issues/issue-parts.vocabulary.ts';
import { usePresence } from '../../../live/hooks/use-presence.ts';

/** Shows which fields of the issue other people are editing; truncated if there is no space. */
export function IssueEditing({ id }: { id: string }) {
  const text = usePresence('issue', id)
    .flatMap(({ name, part }) => {
      const field = issuePartOf(part ?? '');
      return field === undefined ? [] : issueEditingMessages.editing(name, field);
    })
    .join(' · ');
  if (text === '') return null;
  return (
    <span data-editing className="min-w-0 shrink-[0.5] truncate text-ink print:hidden" title={text}>
      {text}
    </span>
  );
}
