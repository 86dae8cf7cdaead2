import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router-dom';
import { usePageTitle } from '../../../lib/page-title.tsx';
import { useSecondTapGuard } from '../../../ui/buttons/second-tap.ts';
import { footBar } from '../../../ui/screen-foot.ts';
import { FormStatus } from './form-status.tsx';

type Props = {
  title: string;
  subtitle: string;
  /** Beside the title: the scan button. */
  action?: ReactNode;
  /** Beside the subtitle, or in place of it on a phone: who else is at the site. */
  presence?: ReactNode;
  /** Above the header: the offline notice. */
  strip?: ReactNode;
  children: ReactNode;
  /** Footer with the main action; always visible. */
  foot: ReactNode;
};

/**
 * Layout of a record form: the header sticks to the top, the main action to the bottom, and the content scrolls between
 * them.
 */
export function FormFrame({ title, subtitle, action, presence, strip, children, foot }: Props) {
  usePageTitle(title);
  const root = useRef<HTMLElement>(null);
  useSecondTapGuard(root);
  return (
    <main
      ref={root}
      id="content"
      className="mx-auto flex min-h-dvh max-w-2xl flex-col sm:min-h-[calc(100dvh-3.5rem-1px)] sm:px-6"
    >
      {strip}
      <div className="sticky top-0 z-10 short:static flex items-center gap-2.5 border-line border-b bg-surface px-4 py-3 max-sm:pt-[max(0.75rem,env(safe-area-inset-top))] sm:static sm:border-0 sm:bg-transparent sm:px-0 sm:pt-5">
        <Link
          to="/operative-tasks"
          className="-ml-2.5 inline-flex size-12 shrink-0 items-center justify-center gap-1 rounded-control text-ink-2 hover:text-ink sm:w-auto sm:px-2.5"
        >
          <ChevronLeft size={22} aria-hidden />
          <span className="max-sm:sr-only">Back to Tasks</span>
        </Link>
        <div className="-ml-2 min-w-0 flex-1 sm:ml-0">
          <h1 className="truncate font-semibold text-[17px] leading-snug tracking-[-0.01em] sm:text-xl">
            {title}
          </h1>
          {/* A fixed height, so that nothing moves when people come and go. */}
          <div className="group/line flex h-6 items-center gap-2.5">
            <p className="truncate text-ink-2 text-sm max-sm:group-has-[[data-presence]]/line:hidden">
              {subtitle}
            </p>
            {presence}
            <FormStatus />
          </div>
        </div>
        {action}
      </div>
      <div className="flex-1 px-4 pt-3.5 pb-[calc(1.5rem+var(--covered,0px))] sm:px-0">{children}</div>
      {foot !== null && (
        <div
          ref={footBar}
          className="sticky bottom-0 z-10 short:static border-line border-t bg-surface px-4 pt-3 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:rounded-t-panel sm:border-x sm:pb-3"
        >
          {foot}
        </div>
      )}
    </main>
  );
}
