import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type CSSProperties, useEffect } from 'react';
import { Toaster as Sonner, toast as sonner } from 'sonner';
import { Button } from '../buttons/button.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
import { cx } from '../cx.ts';
import { footToast, useKeyboardHeight } from '../screen-foot.ts';
import { Unbroken } from '../unbroken.tsx';
import { useMedia } from '../use-media.ts';
import { attachToaster, type Toast } from './toast.ts';

const SUCCESS_MS = 4_000;
/** Long enough to read, understand and reach an action such as Undo. */
const ACTION_MS = 10_000;
const MOST_AT_ONCE = 3;
// A toast covers a part of the page, so it is as low as its text allows, and is placed where people press least. Covered
// content can be scrolled into sight, because `screen-foot.ts` adds room at the end of the page.
/** Below this width, Tailwind's `sm`, toasts are as wide as the screen. */
const PHONE = '(max-width: 639px)';
/**
 * From this width, Tailwind's `lg`, toasts are in the middle, where a row has only text: the controls that select and
 * open the row are at its left, and its actions are at its right. A narrower screen has cards in two columns: the toasts
 * are in the left corner, no wider than a card, and leave the right column free.
 */
const DESK = '(min-width: 64rem)';
/** A smaller number on a phone, because a pile of toasts would cover the fields. */
const MOST_ON_PHONE = 2;
/** Toasts are above the bars with actions, and above a keyboard. */
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
  const dismiss = () => void sonner.dismiss(id);
  message.until?.then(dismiss, dismiss);
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
  const isDesk = useMedia(DESK);
  useKeyboardHeight();
  return (
    <Sonner
      position={isPhone || isDesk ? 'bottom-center' : 'bottom-left'}
      // The cast: a custom property, which Sonner reads.
      style={{ '--width': isDesk ? '28rem' : '22rem' } as CSSProperties}
      visibleToasts={MOST_AT_ONCE}
      expand
      gap={8}
      mobileOffset={{ bottom: FOOT }}
      offset={{ bottom: FOOT, left: '24px' }}
      toastOptions={{ unstyled: true, className: 'lg:inset-x-0 lg:mx-auto lg:w-fit' }}
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
        'flex w-full max-w-full items-center gap-2 rounded-panel border bg-surface pl-3 font-sans shadow-overlay sm:w-fit',
        failed ? 'border-bad' : 'border-line',
      )}
    >
      <span className={colours[message.tone ?? 'default']} aria-hidden>
        <Icon size={18} />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-2 py-1.5 leading-snug">
        <p className="font-semibold text-ink [overflow-wrap:anywhere]">{message.title}</p>
        {message.text !== undefined && (
          <p className="text-ink-2 [overflow-wrap:anywhere]">
            <Unbroken text={message.text} />
          </p>
        )}
      </div>
      {message.action !== undefined && (
        <Button
          size="sm"
          variant="quiet"
          className="-mx-1 px-1.5! text-base! text-brand!"
          onClick={() => {
            message.action?.onSelect();
            onClose();
          }}
        >
          {message.action.label}
        </Button>
      )}
      <IconButton label="Dismiss" onClick={onClose}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
