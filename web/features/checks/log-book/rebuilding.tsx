import { Construction } from 'lucide-react';
import { logMessages } from '#shared/features/checks/log-messages.ts';

/** What a log page shows while an operator has it switched off. */
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
