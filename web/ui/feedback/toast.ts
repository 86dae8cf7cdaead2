import { messages } from '#shared/messages.ts';

export type Toast = {
  title: string;
  text?: string | undefined;
  /** `destructive` stays until dismissed; the others disappear after 4 s, or 10 s with an action. `info` is neutral. */
  tone?: 'default' | 'info' | 'destructive' | undefined;
  action?: { label: string; onSelect: () => void };
  /** The toast disappears when this promise resolves, if it is still shown. */
  until?: Promise<unknown> | undefined;
};

/** Shows a toast; set by the host when its code has loaded. */
type Show = (toast: Toast) => void;

const waiting: Toast[] = [];
let show: Show | undefined;
let wake: (() => void) | undefined;

/** Shows a toast in the corner of the screen. The code is loaded with the first one. */
export function toast(message: Toast): void {
  if (show === undefined) {
    waiting.push(message);
    wake?.();
  } else show(message);
}

/**
 * Shows a toast that a command succeeded.
 * @param about the number or name of what was changed, as the title
 */
export function toastSuccess(
  text: string,
  { about, action }: { about?: string | undefined; action?: Toast['action'] | undefined } = {},
): void {
  toast({ title: about ?? messages.common.success, text, ...(action && { action }) });
}

/** Shows an error toast. The text for a refused command is made by `toastFailure`. */
export function toastError(text: string, title: string = messages.common.error): void {
  toast({ title, text, tone: 'destructive' });
}

/** For the host only: `onWanted` is called when a toast waits for the code. */
export function onToastWanted(onWanted: () => void): () => void {
  wake = onWanted;
  if (waiting.length > 0) onWanted();
  return () => {
    wake = undefined;
  };
}

/** For the toaster only: takes over showing toasts, beginning with those that waited. */
export function attachToaster(next: Show): () => void {
  show = next;
  for (const message of waiting.splice(0)) next(message);
  return () => {
    show = undefined;
  };
}
