import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { useAnnouncePresence } from '../../../live/hooks/use-announce-presence.ts';
import { usePresence } from '../../../live/hooks/use-presence.ts';
import { AvatarRow } from '../../../ui/avatar-row.tsx';

/** Shows other people that this person previews the document, and shows this person who else does. */
export function DocumentPresence({ id }: { id: string }) {
  useAnnouncePresence('document', id);
  const people = usePresence('document', id);
  return (
    // Reserves space from the start, so that nothing moves when people come and go.
    <span className="mr-1 flex min-w-6 justify-end sm:min-w-16">
      {people.length > 0 && <AvatarRow people={people} titleOf={previewMessages.lookedAtBy} />}
    </span>
  );
}
