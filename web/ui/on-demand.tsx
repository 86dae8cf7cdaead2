import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';

type Trigger = {
  onPointerEnter: () => void;
  onFocus: () => void;
  onClick: () => void;
  onKeyDown: (event: { key: string; preventDefault: () => void }) => void;
};

type Props<P> = {
  /** Loads the real control. */
  load: () => Promise<{ default: ComponentType<P> }>;
  props: P;
  /** The closed control, drawn until it is used. Must be one button that looks like the real one. */
  children: (trigger: Trigger) => ReactNode;
};

/**
 * A control whose code is loaded when a person approaches it. Until then a plain button is shown instead; the first use
 * replaces the button with the real control, already open. So hundreds of cards can each have a menu at the cost of a
 * button.
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
    // A key press is simulated, because the real controls open on a pointer press, which a script cannot simulate.
    button?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }),
    );
  }, [Loaded]);

  // A failed load (such as during a restart of the server) leaves the plain button, and the next press tries again.
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
