import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { presenceMessages } from '#shared/features/checks/presence-messages.ts';
import { useAnnouncePresence } from '../../../../live/hooks/use-announce-presence.ts';
import { usePresence } from '../../../../live/hooks/use-presence.ts';
import { AvatarRow } from '../../../../ui/avatar-row.tsx';

/**
 * Shows other people that a form is open at the site. Shows this person who else is in the same form or, if there is
 * nobody, who else is at the same site.
 */
export function SitePresence({ siteId, kind }: { siteId: string; kind: LogKind }) {
  useAnnouncePresence('check', siteId, kind);
  const people = usePresence('check', siteId);
  if (people.length === 0) return null;
  const inForm = people.filter(({ part }) => part === kind);
  const names = (inForm.length > 0 ? inForm : people).map(({ name }) => name);
  const text = inForm.length > 0 ? presenceMessages.sameForm(names) : presenceMessages.testing(names);
  return (
    <span data-presence className="flex min-w-0 items-center gap-1.5 text-ink text-sm" title={text}>
      <span className="flex max-sm:hidden" aria-hidden>
        <AvatarRow people={people} titleOf={(name) => name} />
      </span>
      <span className="line-clamp-2 text-balance max-sm:text-xs max-sm:leading-3 sm:line-clamp-1">
        {text}
      </span>
    </span>
  );
}
