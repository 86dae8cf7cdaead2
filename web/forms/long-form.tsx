import type { ReactNode } from 'react';
import { footBar } from '../ui/screen-foot.ts';

/** The actions at the end of a long form on a card. They stay in sight while the fields scroll, if the window is high enough. */
export function StickyFoot({ children }: { children: ReactNode }) {
  return (
    <div
      ref={footBar}
      className="-mx-4 -mb-4 z-10 flex flex-wrap gap-2.5 rounded-b-card border-line border-t bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:*:grow sm:-mx-5 sm:-mb-5 sm:px-5 [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:bottom-0"
    >
      {children}
    </div>
  );
}

/** The fields of a long form: two columns on a wide screen. */
export const formColumns = 'grid gap-x-8 gap-y-4 lg:grid-cols-2';
export const formColumn = 'grid min-w-0 content-start gap-4';
