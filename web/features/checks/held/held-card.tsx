import { Clock, TimerReset, TriangleAlert } from 'lucide-react';
import { dayOf, formatDateTime, formatTime, formatWeekdayDate } from '#shared/dates.ts';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { formatImported } from '#shared/features/checks/imported.vocabulary.ts';
import { type LogKind, titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { formatLimits } from '#shared/features/checks/limits.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { HeldEntry, HeldVisit } from '#shared/features/checks/procedure-answers.ts';
import { readingOf } from '#shared/features/checks/readings.vocabulary.ts';
import { signedName } from '#shared/text/names.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { PhotoStrip } from '../../photos/photo-strip.tsx';
import { Fact } from '../fact.tsx';
import { ResultBadge } from '../result-badge.tsx';

type Props = { visit: HeldVisit; onDecide: (accept: boolean) => void };

/** One held record: its check, site, recorder and times, why it is held, and its entries as the log would show them. */
export function HeldCard({ visit, onDecide }: Props) {
  const { kind, building, operativeName, recordedByName, recordedByNow, obstacle } = visit;
  const title = titleOf(kind);
  const site = building?.name ?? heldMessages.noSite;
  return (
    <Card className="p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h2 className="font-semibold text-ink text-md [overflow-wrap:anywhere]">
            {title} · {site}
          </h2>
          <p className="text-ink-2">{heldMessages.why[visit.why]}</p>
        </div>
        <div className="flex flex-wrap gap-1.5">
          {visit.late && (
            <Badge tone="due" icon={<Clock size={13} aria-hidden />}>
              {logMessages.late}
            </Badge>
          )}
          {visit.clockWrong && (
            <Badge tone="due" icon={<TimerReset size={13} aria-hidden />}>
              {logMessages.clockWrong}
            </Badge>
          )}
        </div>
      </div>
      <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-2.5 lg:grid-cols-4">
        <Fact name="Recorded by">{signedName(recordedByName, recordedByNow)}</Fact>
        {visit.imported !== null && <Fact name="Came by file">{formatImported(visit.imported)}</Fact>}
        <Fact name="Operative">{operativeName}</Fact>
        <Fact name="Performed">
          {formatWeekdayDate(visit.visitDate)}
          <span className="block text-ink-3 text-sm">{timeOf(visit)}</span>
        </Fact>
        <Fact name="Received">{formatDateTime(visit.receivedAt)}</Fact>
      </dl>
      <ul className="mt-3 divide-y divide-line border-line border-y" aria-label={`Lines of ${title}`}>
        {visit.entries.map((entry) => (
          <Line key={entry.id} kind={kind} entry={entry} />
        ))}
      </ul>
      {obstacle !== null && (
        <p className="mt-3 flex items-start gap-2 text-due">
          <TriangleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
          {obstacle}
        </p>
      )}
      <div className="mt-4 flex flex-wrap justify-end gap-2 max-sm:grid max-sm:grid-cols-2">
        <Button onClick={() => onDecide(false)} aria-label={`${heldMessages.refuse}: ${title}, ${site}`}>
          {heldMessages.refuse}
        </Button>
        <Button
          variant="primary"
          disabled={obstacle !== null}
          onClick={() => onDecide(true)}
          aria-label={`${heldMessages.accept}: ${title}, ${site}`}
        >
          {heldMessages.accept}
        </Button>
      </div>
    </Card>
  );
}

/** Formats the time of the check, with its day if that differs from the visit's date. */
function timeOf({ visitDate, performedAt }: HeldVisit): string {
  return dayOf(performedAt) === visitDate ? formatTime(performedAt) : formatDateTime(performedAt);
}

function Line({ kind, entry }: { kind: LogKind; entry: HeldEntry }) {
  const { subjectName, subjectPlace, result, notes, photoIds } = entry;
  const { reading, outcome, min, max } = readingOf(kind, result, entry.values);
  const limits = formatLimits({ min, max });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1.5 py-2.5">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium text-ink">{subjectName}</span>
        {reading !== null && <b className="ml-2 whitespace-nowrap font-semibold tabular-nums">{reading}</b>}
        {limits !== '' && <span className="ml-2 whitespace-nowrap text-ink-3 text-sm">{limits}</span>}
        {subjectPlace !== null && <span className="block text-ink-3 text-sm">{subjectPlace}</span>}
        {notes !== null && <span className="block text-ink-2">{notes}</span>}
      </div>
      <ResultBadge result={result}>{outcome ?? undefined}</ResultBadge>
      {photoIds.length > 0 && (
        <div className="col-span-2">
          <PhotoStrip place={{ on: 'check', onId: entry.id }} of={subjectName} />
        </div>
      )}
    </li>
  );
}
