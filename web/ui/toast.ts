export type Toast = {
  title: string;
  text?: string | undefined;
  /** `destructive` stays until dismissed; everything else leaves after 4 s, with an action after 10 s. `info` is neither a success nor a failure. */
  tone?: 'default' | 'info' | 'destructive' | undefined;
  action?: { label: string; onSelect: () => void };
};

/** Shows a toast; set by the host when it is on the page. */
type Show = (toast: Toast) => void;

const waiting: Toast[] = [];
let show: Show | undefined;
let wake: (() => void) | undefined;

/** Says something in the corner of the screen. Its code is loaded with the first one. */
export function toast(message: Toast): void {
  if (show === undefined) {
    waiting.push(message);
    wake?.();
  } else show(message);
}

/** For the host alone: `onWanted` is called when a toast waits for its code. */
export function onToastWanted(onWanted: () => void): () => void {
  wake = onWanted;
  if (waiting.length > 0) onWanted();
  return () => {
    wake = undefined;
  };
}

/** For the toaster alone: from now on it shows them, beginning with those that waited. */
export function attachToaster(next: Show): () => void {
  show = next;
  for (const message of waiting.splice(0)) next(message);
  return () => {
    show = undefined;
  };
}
