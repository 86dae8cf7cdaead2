import type { ReactNode } from 'react';

type Props = { icon?: ReactNode; title: string; text?: ReactNode; action?: ReactNode };

/** An empty list or page: a sentence, and the one action that helps. */
export function EmptyState({ icon, title, text, action }: Props) {
  return (
    <div className="grid justify-items-center gap-1 rounded-card border border-line-2 border-dashed px-6 py-12 text-center">
      {icon !== undefined && (
        <div className="mb-2 grid size-11 place-items-center rounded-full bg-mute text-ink-2" aria-hidden>
          {icon}
        </div>
      )}
      <h2 className="font-semibold text-ink text-md">{title}</h2>
      {text !== undefined && <p className="max-w-prose text-ink-2 text-balance">{text}</p>}
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  );
}
