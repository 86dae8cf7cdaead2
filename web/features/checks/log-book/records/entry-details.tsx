import type { Detail } from '#shared/features/checks/log-presentation.ts';
import type { LogEntry } from './log-entry.ts';

/** Further values, notes and, in print, the visit's values of an entry, in one line. */
export function EntryDetails({ entry: { said, notes, visitSaid } }: { entry: LogEntry }) {
  return (
    <>
      {said.map((detail) => (
        <Said key={detail.label} {...detail} className="mr-2" />
      ))}
      {notes !== null && <span className="mr-2 [overflow-wrap:anywhere]">{notes}</span>}
      {/* Print only: on screen the thread shows these. */}
      {visitSaid.map((detail) => (
        <Said key={detail.label} {...detail} className="mr-2 hidden print:inline" />
      ))}
    </>
  );
}

function Said({ label, text, className }: Detail & { className: string }) {
  return (
    <span className={`${className} [overflow-wrap:anywhere]`}>
      <span className="text-ink-3">{label}:</span> {text}
    </span>
  );
}
