import { formatDateTime } from '#shared/dates.ts';
import { backupMessages } from '#shared/features/backups/backup-messages.ts';
import type { BackupRun } from '#shared/features/backups/backups.ts';
import { Badge } from '../../ui/feedback/badge.tsx';

/** The last backups and verifications, each with its result. */
export function BackupRuns({ runs }: { runs: readonly BackupRun[] }) {
  return (
    <section aria-labelledby="backup-runs">
      <h3 id="backup-runs" className="mb-1 font-semibold">
        {backupMessages.runs}
      </h3>
      {runs.length === 0 && <p className="text-ink-2">{backupMessages.noRuns}</p>}
      <ul className="grid divide-y divide-line">
        {runs.map(({ id, kind, startedAt, endedAt, problem }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2">
            <span className="w-20 font-medium">{backupMessages.kinds[kind]}</span>
            <time dateTime={startedAt} className="tabular-nums">
              {formatDateTime(startedAt)}
            </time>
            <span className="text-ink-2 text-sm">{secondsText(startedAt, endedAt)}</span>
            {problem === null ? (
              <Badge tone="ok">{backupMessages.ended}</Badge>
            ) : (
              <>
                <Badge tone="bad">{backupMessages.endedBadly}</Badge>
                <p className="basis-full text-bad [overflow-wrap:anywhere]">{problem}</p>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function secondsText(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000));
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
