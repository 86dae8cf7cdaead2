import { Construction } from 'lucide-react';
import { logMessages } from '#shared/features/checks/log-messages.ts';

/** Placeholder for a log that the operator has marked as under rebuild. */
export function Rebuilding() {
  return (
    <div className="grid justify-items-center gap-3 rounded-card border border-line bg-surface px-6 py-14 text-center text-ink-2">
      <span className="grid size-11 place-items-center rounded-full bg-mute" aria-hidden>
        <Construction size={20} />
      </span>
      <p>{logMessages.rebuilding}</p>
    </div>
  );
}
