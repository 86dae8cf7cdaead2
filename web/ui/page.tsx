import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { usePageTitle } from '../lib/page-title.tsx';
import { cx } from './cx.ts';

type Props = {
  /** The title, if it differs from the title that belongs to the address. */
  title?: string;
  subtitle?: ReactNode;
  /** The address of Back; null if there is none. */
  back?: { to: string; label?: string } | null;
  actions?: ReactNode;
  /** Limits the width to a width that is good for reading, so that actions stay beside their subject. */
  narrow?: boolean;
  /** Exactly as high as the window: the content scrolls inside. */
  fill?: boolean;
  children: ReactNode;
};

/** The frame of every signed-in screen: Back, title, actions and content. */
export function Page({
  title,
  subtitle,
  back = { to: '/dashboard' },
  actions,
  narrow = false,
  fill = false,
  children,
}: Props) {
  const heading = usePageTitle(title);
  return (
    <main
      id="content"
      // Receives the focus when the focused control has disappeared, so that Tab continues from here.
      tabIndex={-1}
      className={cx(
        'mx-auto max-w-[90rem] px-4 pt-4 sm:px-6 sm:pt-5',
        fill
          ? 'flex h-[calc(100dvh-3.5rem-1px-var(--covered,0px))] min-h-[32rem] flex-col'
          : 'pb-[calc(2.5rem+var(--covered,0px))]',
      )}
    >
      {back !== null && (
        <Link
          to={back.to}
          className="mb-2 -ml-1.5 inline-flex print:hidden items-center gap-1 rounded-control px-1.5 py-0.5 text-ink-2 text-sm hover:text-ink pointer-coarse:-mt-3 pointer-coarse:mb-0 pointer-coarse:min-h-12 pointer-coarse:text-base"
        >
          <ArrowLeft size={15} aria-hidden />
          {back.label ?? 'Back'}
        </Link>
      )}
      <div
        className={cx('flex flex-wrap items-center justify-between gap-x-6 gap-y-3', narrow && 'max-w-4xl')}
      >
        <div className="min-w-0">
          <h1 className="font-semibold text-ink text-xl tracking-[-0.018em] [overflow-wrap:anywhere]">
            {heading}
          </h1>
          {subtitle !== undefined && <p className="mt-0.5 text-pretty text-ink-2">{subtitle}</p>}
        </div>
        {actions !== undefined && (
          <div className="flex min-w-0 max-w-full flex-wrap items-center gap-2.5 max-sm:grow max-sm:*:grow print:hidden">
            {actions}
          </div>
        )}
      </div>
      <div className={cx('mt-4', fill && 'flex min-h-0 flex-1 flex-col')}>{children}</div>
    </main>
  );
}
