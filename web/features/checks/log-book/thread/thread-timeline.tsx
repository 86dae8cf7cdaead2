import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatWeekdayTime } from '#shared/dates.ts';
import { cx } from '../../../../ui/cx.ts';

export type Step = {
  key: string;
  icon: LucideIcon;
  tone: 'plain' | 'ok' | 'bad' | 'due' | 'info';
  title: ReactNode;
  /** ISO; null when the time is not known. */
  at: string | null;
  who?: string | null | undefined;
  children?: ReactNode;
};

const tones: Record<Step['tone'], string> = {
  plain: 'bg-mute text-ink-2',
  ok: 'bg-ok-soft text-ok',
  bad: 'bg-bad-soft text-bad',
  due: 'bg-due-soft text-due',
  info: 'bg-info-soft text-info',
};

/** The steps of a thread as a vertical timeline. */
export function Timeline({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ol aria-label={label} className="grid">
      {steps.map(({ key, icon: Icon, tone, title, at, who, children }) => (
        <li key={key} className="group relative grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 pb-4 last:pb-0">
          <span
            aria-hidden
            className="absolute top-7 bottom-0 left-[13.5px] w-px bg-line-2 group-last:hidden"
          />
          <span className={cx('grid size-7 place-items-center rounded-full', tones[tone])} aria-hidden>
            <Icon size={15} />
          </span>
          <div className="min-w-0 pt-0.5">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium text-ink">{title}</span>
              <span className="text-ink-3 text-sm tabular-nums">
                {who != null && `${who} · `}
                {at !== null && <time dateTime={at}>{formatWeekdayTime(at)}</time>}
              </span>
            </p>
            {children !== undefined && (
              <div className="mt-0.5 text-ink-2 [overflow-wrap:anywhere]">{children}</div>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
