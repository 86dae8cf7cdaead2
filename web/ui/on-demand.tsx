import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';

type Trigger = {
  onPointerEnter: () => void;
  onFocus: () => void;
  onClick: () => void;
  onKeyDown: (event: { key: string; preventDefault: () => void }) => void;
};

type Props<P> = {
  /** Fetches the real control. */
  load: () => Promise<{ default: ComponentType<P> }>;
  props: P;
  /** The closed control, drawn until somebody uses it. Must be one button that looks like the real one. */
  children: (trigger: Trigger) => ReactNode;
};

/**
 * A control whose code is fetched when somebody reaches for it. Until then a plain button stands in its place; the
 * first use swaps in the real one, already open. Hundreds of cards can each carry a menu at the price of a button.
 */
export function OnDemand<P extends object>({ load, props, children }: Props<P>) {
  const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null);
  const place = useRef<HTMLSpanElement>(null);
  const opened = useRef(false);

  useEffect(() => {
    if (Loaded === null || opened.current) return;
    opened.current = true;
    const button = place.current?.querySelector('button');
    button?.focus();
    // A key, because the real controls open on a press of the pointer, which a script cannot make.
    button?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }),
    );
  }, [Loaded]);

  // A failed fetch (a server that restarts) leaves the plain button, and the next press tries again.
  const preload = () => void load().catch(() => undefined);
  const open = () =>
    void load().then(
      (module) => setLoaded(() => module.default),
      () => undefined,
    );

  return (
    <span ref={place} className="contents">
      {Loaded !== null ? (
        <Loaded {...props} />
      ) : (
        children({
          onPointerEnter: preload,
          onFocus: preload,
          onClick: open,
          onKeyDown: (event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            open();
          },
        })
      )}
    </span>
  );
}
