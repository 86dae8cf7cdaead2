import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect } from 'react';
import { Toaster as Sonner, toast as sonner } from 'sonner';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { IconButton } from './icon-button.tsx';
import { attachToaster, type Toast } from './toast.ts';

const SUCCESS_MS = 4_000;
const MOST_AT_ONCE = 3;
const shown: (string | number)[] = [];

function show(message: Toast): void {
  const failed = message.tone === 'destructive';
  const id = sonner.custom((own) => <ToastCard message={message} onClose={() => sonner.dismiss(own)} />, {
    duration: failed ? Number.POSITIVE_INFINITY : SUCCESS_MS,
    onDismiss: (gone) => forget(gone.id),
    onAutoClose: (gone) => forget(gone.id),
  });
  shown.push(id);
  // The oldest gives way: a pile of failures says no more than the last three.
  while (shown.length > MOST_AT_ONCE) sonner.dismiss(shown.shift());
}

function forget(id: string | number): void {
  const index = shown.indexOf(id);
  if (index !== -1) shown.splice(index, 1);
}

/** The heavy half of `toast`; `ToastHost` loads it. */
export default function Toaster() {
  useEffect(() => attachToaster(show), []);
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={MOST_AT_ONCE}
      expand
      gap={8}
      // A form's main action at the foot of a phone stays free.
      mobileOffset={{ bottom: 'var(--toast-bottom, 16px)' }}
      offset={{ bottom: 'var(--toast-bottom, 24px)', right: '24px' }}
      toastOptions={{ unstyled: true }}
      className="print:hidden"
    />
  );
}

function ToastCard({ message, onClose }: { message: Toast; onClose: () => void }) {
  const failed = message.tone === 'destructive';
  return (
    <div
      role={failed ? 'alert' : 'status'}
      data-tone={failed ? 'destructive' : 'default'}
      className={cx(
        'flex font-sans w-[min(22rem,calc(100vw-2rem))] items-start gap-3 rounded-panel border bg-surface py-3 pr-2 pl-4 shadow-overlay',
        failed ? 'border-bad' : 'border-line',
      )}
    >
      <span className={cx('mt-0.5', failed ? 'text-bad' : 'text-ok')} aria-hidden>
        {failed ? <CircleAlert size={18} /> : <CircleCheck size={18} />}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-semibold text-ink [overflow-wrap:anywhere]">{message.title}</p>
        {message.text !== undefined && <p className="text-ink-2 [overflow-wrap:anywhere]">{message.text}</p>}
        {message.action !== undefined && (
          <Button
            size="sm"
            className="mt-2"
            onClick={() => {
              message.action?.onSelect();
              onClose();
            }}
          >
            {message.action.label}
          </Button>
        )}
      </div>
      <IconButton label="Dismiss" onClick={onClose} className="-mt-1.5">
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
