import { Inbox } from 'lucide-react';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { heldVisits } from './held.live.ts';

/** Link to the held records, with their number. */
export function HeldLink() {
  const total = useLiveQuery(heldVisits, undefined).data?.total ?? 0;
  return (
    <ButtonLink to="/logbook/held">
      <Inbox size={16} aria-hidden />
      {heldMessages.title}
      {total > 0 && <Badge tone="due">{total}</Badge>}
    </ButtonLink>
  );
}
