import { type ReactNode, type RefObject, useEffect } from 'react';
import { cx } from '../cx.ts';

type Props = {
  /** The element that contains both the button and this panel; a press outside it closes the panel. */
  within: RefObject<HTMLElement | null>;
  onClose: () => void;
  align?: 'start' | 'end' | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** The minimum distance of a panel from the edge of the screen, px. */
const EDGE = 8;

/** Shifts the panel into the screen: its button may be nearer to an edge than the alignment assumes. */
function keepInSight(panel: HTMLDivElement | null): void {
  if (panel === null) return;
  const { left, right } = panel.getBoundingClientRect();
  const shift = left < EDGE ? EDGE - left : Math.min(0, document.documentElement.clientWidth - EDGE - right);
  if (shift !== 0) panel.style.translate = `${shift}px`;
}

/**
 * A panel under its button, inside the same element, so that it also works in a dialog. On a phone it is at the top of
 * the screen, where the keyboard does not cover it. Escape closes only this panel.
 */
export function Popover({ within, onClose, align = 'start', className, children }: Props) {
  useEffect(() => {
    function onPointerDown(event: PointerEvent) {
      if (event.target instanceof Node && within.current?.contains(event.target) === false) onClose();
    }
    // Only Tab counts as leaving the panel on purpose: a surrounding dialog also takes the focus when it has just opened.
    let tabbed = false;
    function onFocusIn(event: FocusEvent) {
      const { target } = event;
      if (!tabbed) return;
      // Focus that returns to an element around the panel, such as a dialog, has not moved to another control.
      if (!(target instanceof Node) || within.current === null || target.contains(within.current)) return;
      if (!within.current.contains(target)) onClose();
    }
    function onKeyDown(event: KeyboardEvent) {
      tabbed = event.key === 'Tab';
      if (event.key !== 'Escape') return;
      // This Escape belongs to a dialog that has opened above the panel.
      const dialog = document.activeElement?.closest('[role="dialog"]');
      if (dialog != null && within.current !== null && !dialog.contains(within.current)) return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
    // Captured, so that a surrounding dialog does not handle the same Escape.
    window.addEventListener('keydown', onKeyDown, true);
    document.addEventListener('pointerdown', onPointerDown, true);
    document.addEventListener('focusin', onFocusIn);
    return () => {
      window.removeEventListener('keydown', onKeyDown, true);
      document.removeEventListener('pointerdown', onPointerDown, true);
      document.removeEventListener('focusin', onFocusIn);
    };
  }, [within, onClose]);

  return (
    <div
      ref={keepInSight}
      className={cx(
        'z-50 rounded-panel border border-line bg-surface shadow-overlay',
        'max-sm:fixed max-sm:inset-x-3 max-sm:top-3 sm:absolute sm:top-full sm:mt-1.5',
        align === 'end' ? 'sm:right-0' : 'sm:left-0',
        className,
      )}
    >
      {children}
    </div>
  );
}
