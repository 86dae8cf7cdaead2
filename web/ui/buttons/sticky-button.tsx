import type { ReactNode } from 'react';
import { Button } from './button.tsx';

type Props = { onClick: () => void; children: ReactNode };

/** A button over the top of a list, in sight however far it is scrolled. The list does not move when it appears. */
export function StickyButton({ onClick, children }: Props) {
  return (
    <div className="sticky top-16 z-10 h-0 print:hidden">
      <Button
        variant="primary"
        className="absolute left-1/2 -translate-x-1/2 whitespace-nowrap rounded-full"
        onClick={onClick}
      >
        {children}
      </Button>
    </div>
  );
}
