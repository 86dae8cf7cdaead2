import type { ReactNode } from 'react';
import { Button } from './button.tsx';

type Props = { onClick: () => void; children: ReactNode };

/**
 * A button over the top of a list, in sight however far the list is scrolled. The list does not move when the button
 * appears. The button begins in the margin above the list, so that only a heading must leave room for it, and the first
 * row stays uncovered.
 */
export function StickyButton({ onClick, children }: Props) {
  return (
    <div className="sticky top-[4.875rem] z-10 h-0 print:hidden">
      <Button
        variant="primary"
        className="absolute -top-3.5 left-1/2 -translate-x-1/2 whitespace-nowrap rounded-full"
        onClick={onClick}
      >
        {children}
      </Button>
    </div>
  );
}
