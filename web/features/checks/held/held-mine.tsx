import { CircleCheck, CircleX, Hourglass } from 'lucide-react';
import { formatDateTime, formatWeekdayDate } from '#shared/dates.ts';
import { HELD_STATE_LABELS, type HeldState } from '#shared/features/checks/held.vocabulary.ts';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import type { HeldCheck } from '#shared/features/checks/rows.ts';
import { signedName } from '#shared/text/names.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Card } from '../../../ui/card.tsx';
import { Badge, type Tone } from '../../../ui/feedback/badge.tsx';
import { heldOfMine } from './held.live.ts';

const LOOKS: Readonly<Record<HeldState, { tone: Tone; icon: typeof Hourglass }>> = {
  held: { tone: 'due', icon: Hourglass },
  accepted: { tone: 'ok', icon: CircleCheck },
  refused: { tone: 'bad', icon: CircleX },
};

/** The person's own held records, with the administrator's decision on each. */
export function HeldMine() {
  const { data = [] } = useLiveQuery(heldOfMine, undefined);
  if (data.length === 0) return null;
  return (
    <section className="mt-6 grid max-w-4xl gap-3">
      <div>
        <h2 className="font-semibold text-md">{heldMessages.mine}</h2>
        <p className="text-ink-2">{heldMessages.mineText}</p>
      </div>
      <ul className="grid gap-3" aria-label={heldMessages.mine}>
        {data.map((held) => (
          <li key={held.id} data-held={held.id}>
            <Mine held={held} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Mine({ held }: { held: HeldCheck }) {
  const { tone, icon: Icon } = LOOKS[held.state];
  return (
    <Card className="grid gap-2 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 font-semibold text-ink">
          {titleOf(held.kind)} · {formatWeekdayDate(held.visitDate)}
        </h3>
        <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
          {HELD_STATE_LABELS[held.state]}
        </Badge>
      </div>
      <p className="text-ink-2 text-sm tabular-nums">Received {formatDateTime(held.receivedAt)}</p>
      <p className="text-ink [overflow-wrap:anywhere]">{decisionInWords(held)}</p>
    </Card>
  );
}

/** The state of a held record, shown in the send queue while this device still lists it. */
export function HeldRemark({ visitId }: { visitId: string }) {
  // A person who may no longer record cannot query decisions; the text then only says that the record is held.
  const enabled = usePermissions().can('create_operative_tasks');
  const { data } = useLiveQuery(heldOfMine, undefined, { enabled });
  const held = data?.find(({ id }) => id === visitId);
  return (
    <p className="font-medium text-due">{held === undefined ? heldMessages.waits : decisionInWords(held)}</p>
  );
}

function decisionInWords({ state, reason, decidedByName, decidedByNow, decidedAt }: HeldCheck): string {
  const by = signedName(decidedByName ?? '', decidedByNow);
  const at = decidedAt ?? '';
  switch (state) {
    case 'held':
      return heldMessages.waits;
    case 'accepted':
      return heldMessages.acceptedBy(by, at);
    case 'refused':
      return heldMessages.refusedBy(by, at, reason ?? '');
  }
}
