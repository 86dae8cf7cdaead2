import { CircleCheck, CircleX, Hourglass } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { formatWeekdayDate } from '#shared/dates.ts';
import { IMPORT_STATE_LABELS, type ImportState } from '#shared/features/checks/imported.vocabulary.ts';
import { importedMessages as words } from '#shared/features/checks/imported-messages.ts';
import { logOf, titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import type { ImportedOfMine } from '#shared/features/checks/procedure-answers.ts';
import { tell } from '../../../forms/toasts.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Badge, type Tone } from '../../../ui/feedback/badge.tsx';
import { importedOfMine } from './imported.live.ts';

const LOOKS: Readonly<Record<ImportState, { tone: Tone; icon: typeof Hourglass }>> = {
  unconfirmed: { tone: 'due', icon: Hourglass },
  confirmed: { tone: 'ok', icon: CircleCheck },
  disputed: { tone: 'bad', icon: CircleX },
};

/** Imported records that name this person, each to be confirmed or disputed. */
export function ImportedMine() {
  const { data = [] } = useLiveQuery(importedOfMine, undefined);
  const { mutate, isPending } = useLiveMutation();
  const [disputing, setDisputing] = useState<ImportedOfMine>();
  if (data.length === 0) return null;

  async function answer(id: string, confirmed: boolean) {
    const answered = mutate({
      input: { id, confirmed },
      send: (input, context) => api.checks.answerImported.mutate(input, context),
    });
    const success = confirmed ? words.confirmed : words.disputed;
    await tell(answered, { success, failure: words.failed });
    setDisputing(undefined);
  }

  return (
    <section className="mt-6 grid max-w-4xl gap-3">
      <div>
        <h2 className="font-semibold text-md">{words.mine}</h2>
        <p className="text-ink-2">{words.mineText}</p>
      </div>
      <ul className="grid gap-3" aria-label={words.mine}>
        {data.map((imported) => (
          <li key={imported.id} data-imported={imported.id}>
            <Mine
              imported={imported}
              busy={isPending}
              onConfirm={() => void answer(imported.id, true)}
              onDispute={() => setDisputing(imported)}
            />
          </li>
        ))}
      </ul>
      {disputing !== undefined && (
        <ConfirmDialog
          title={words.disputeTitle}
          subtitle={titleAndDay(disputing)}
          action={words.dispute}
          onConfirm={() => answer(disputing.id, false)}
          onClose={() => setDisputing(undefined)}
        >
          <p>{words.disputeText}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

type MineProps = { imported: ImportedOfMine; busy: boolean; onConfirm: () => void; onDispute: () => void };

function Mine({ imported, busy, onConfirm, onDispute }: MineProps) {
  const { kind, state, visit, held, importedByName, importedAt } = imported;
  const { tone, icon: Icon } = LOOKS[state];
  return (
    <Card className="grid gap-2 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 font-semibold text-ink">{titleAndDay(imported)}</h3>
        <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
          {IMPORT_STATE_LABELS[state]}
        </Badge>
      </div>
      <p className="text-ink-2 text-sm [overflow-wrap:anywhere]">{words.by(importedByName, importedAt)}</p>
      {visit !== null && (
        <p className="[overflow-wrap:anywhere]">
          <Link
            to={`/logbook/${CHECK_VOCABULARY[logOf(kind)].slug}?entry=${visit.entryId}`}
            className="text-brand hover:underline"
          >
            {visit.buildingName}
          </Link>
          : {visit.subjects.join(', ')}
        </p>
      )}
      {held && <p className="text-ink-2">{words.held}</p>}
      {state === 'unconfirmed' && (
        <div className="mt-1 flex flex-wrap gap-2">
          <Button variant="primary" disabled={busy} onClick={onConfirm}>
            {words.confirm}
          </Button>
          <Button disabled={busy} onClick={onDispute}>
            {words.dispute}
          </Button>
        </div>
      )}
    </Card>
  );
}

function titleAndDay({ kind, visitDate }: ImportedOfMine): string {
  return `${titleOf(kind)} · ${formatWeekdayDate(visitDate)}`;
}
