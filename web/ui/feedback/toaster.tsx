import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { Toaster as Sonner, toast as sonner } from 'sonner';
import { Button } from '../buttons/button.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
import { cx } from '../cx.ts';
import { footToast, useKeyboardHeight } from '../screen-foot.ts';
import { useMedia } from '../use-media.ts';
import { attachToaster, type Toast } from './toast.ts';

const SUCCESS_MS = 4_000;
/** Long enough to read, understand and reach an action such as Undo. */
const ACTION_MS = 10_000;
const MOST_AT_ONCE = 3;
/** Below this width, Tailwind's `sm`, toasts are as wide as the screen. */
const PHONE = '(max-width: 639px)';
/** Fewer on a phone, because a pile would cover the fields. */
const MOST_ON_PHONE = 2;
/** Above the bars with actions, and above a keyboard. */
const FOOT = 'calc(max(var(--toast-bottom, 16px), env(safe-area-inset-bottom)) + var(--keyboard, 0px))';
const shown: { id: string | number; copy: string }[] = [];

function show(message: Toast): void {
  const failed = message.tone === 'destructive';
  // A repeated toast replaces its earlier copy.
  const copy = JSON.stringify([message.title, message.text, message.tone]);
  const repeated = shown.find((each) => each.copy === copy);
  if (repeated !== undefined) {
    forget(repeated.id);
    sonner.dismiss(repeated.id);
  }
  const id = sonner.custom((own) => <ToastCard message={message} onClose={() => sonner.dismiss(own)} />, {
    duration: failed ? Number.POSITIVE_INFINITY : message.action === undefined ? SUCCESS_MS : ACTION_MS,
    onDismiss: (gone) => forget(gone.id),
    onAutoClose: (gone) => forget(gone.id),
  });
  shown.push({ id, copy });
  void message.until?.then(() => sonner.dismiss(id));
  // The oldest is dismissed: more than three failures at once do not help.
  while (shown.length > mostAtOnce()) sonner.dismiss(shown.shift()?.id);
}

function forget(id: string | number): void {
  const index = shown.findIndex((each) => each.id === id);
  if (index !== -1) shown.splice(index, 1);
}

function mostAtOnce(): number {
  return matchMedia(PHONE).matches ? MOST_ON_PHONE : MOST_AT_ONCE;
}

/** The lazily loaded part of `toast`; `ToastHost` loads it. */
export default function Toaster() {
  useEffect(() => attachToaster(show), []);
  const isPhone = useMedia(PHONE);
  useKeyboardHeight();
  return (
    <Sonner
      // Not at the right, where rows and dialogs have their actions.
      position={isPhone ? 'bottom-center' : 'bottom-left'}
      visibleToasts={MOST_AT_ONCE}
      expand
      gap={8}
      mobileOffset={{ bottom: FOOT }}
      offset={{ bottom: FOOT, left: '24px' }}
      toastOptions={{ unstyled: true }}
      className="print:hidden"
    />
  );
}

const icons = { default: CircleCheck, info: Info, destructive: CircleAlert };
const colours = { default: 'text-ok', info: 'text-info', destructive: 'text-bad' };

function ToastCard({ message, onClose }: { message: Toast; onClose: () => void }) {
  const failed = message.tone === 'destructive';
  const Icon = icons[message.tone ?? 'default'];
  return (
    <div
      ref={footToast}
      role={failed ? 'alert' : 'status'}
      data-tone={message.tone ?? 'default'}
      className={cx(
        'flex font-sans w-[min(22rem,calc(100vw-2rem))] items-start gap-3 rounded-panel border bg-surface py-3 pr-2 pl-4 shadow-overlay',
        failed ? 'border-bad' : 'border-line',
      )}
    >
      <span className={cx('mt-0.5', colours[message.tone ?? 'default'])} aria-hidden>
        <Icon size={18} />
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
