import { Dialog, DialogTitle, DialogPanel as HeadlessPanel } from '@headlessui/react';
import { X } from 'lucide-react';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { Button } from '../buttons/button.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
import { cx } from '../cx.ts';
import { DialogContext } from './dialog-context.ts';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  subtitle?: ReactNode | undefined;
  size?: 'sm' | 'md' | 'lg' | undefined;
  children: ReactNode;
  /** The question that is asked before the dialog closes while something would be lost; by default about typed values. */
  leave?: { question: string; stay: string; go: string };
};

const TYPED = { question: 'Discard what you have changed?', stay: 'Keep editing', go: 'Discard' };

/** The lazily loaded part of `Dialog`; use `Dialog` instead. */
export default function DialogPanel({
  open,
  onClose,
  title,
  subtitle,
  size = 'md',
  children,
  leave = TYPED,
}: DialogProps) {
  const [asking, setAsking] = useState(false);
  // A ref, because the value must be right before the next key press, which may be Escape.
  const dirty = useRef(false);
  const setDirty = useCallback((now: boolean) => {
    dirty.current = now;
  }, []);

  function requestClose() {
    if (asking) setAsking(false);
    else if (dirty.current) setAsking(true);
    else onClose();
  }
  const around = { close: requestClose, setDirty };

  return (
    <Dialog
      open={open}
      onClose={requestClose}
      className="fixed inset-0 z-40 overflow-y-auto overscroll-contain pb-[var(--covered,0px)] bg-[rgb(10_16_20/0.45)]"
    >
      <div className="flex min-h-full items-end justify-center sm:items-center sm:p-6">
        <HeadlessPanel
          className={cx(
            'w-full rounded-t-phone border border-line bg-surface shadow-overlay sm:rounded-panel',
            size === 'sm' && 'sm:max-w-md',
            size === 'md' && 'sm:max-w-xl',
            size === 'lg' && 'sm:max-w-4xl',
          )}
        >
          <div className="flex items-start gap-3 border-line border-b px-5 py-3.5">
            <div className="min-w-0 flex-1 self-center">
              <DialogTitle className="font-semibold text-ink text-lg [overflow-wrap:anywhere]">
                {title}
              </DialogTitle>
              {subtitle !== undefined && <div className="text-pretty text-ink-2">{subtitle}</div>}
            </div>
            <IconButton label="Close" onClick={requestClose} className="-mr-2">
              <X size={18} aria-hidden />
            </IconButton>
          </div>
          {asking && (
            <div role="alert" className="flex flex-wrap items-center gap-2 bg-due-soft px-5 py-3">
              <p className="mr-auto font-medium text-due">{leave.question}</p>
              <Button size="sm" autoFocus onClick={() => setAsking(false)}>
                {leave.stay}
              </Button>
              <Button size="sm" variant="danger" onClick={onClose}>
                {leave.go}
              </Button>
            </div>
          )}
          <div className="px-5 py-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
            <DialogContext value={around}>{children}</DialogContext>
          </div>
        </HeadlessPanel>
      </div>
    </Dialog>
  );
}
