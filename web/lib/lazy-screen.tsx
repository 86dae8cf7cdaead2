import { type ComponentType, lazy, useState } from 'react';

/** Code that has not come by then is said to be missing; when it comes after all, the screen is drawn. */
const LATE_MS = 10_000;

/** The code of a screen is lost, or not here yet. */
export class MissingCodeError extends Error {
  /** Resolves where it comes after all. */
  readonly coming: Promise<unknown>;

  constructor(coming: Promise<unknown>) {
    super('The code of this screen has not come');
    this.coming = coming;
  }
}

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/**
 * A screen whose code is fetched when it is needed, or before: once `preload` has it, it is drawn at once. React's
 * own `lazy` would show the waiting state even then, and keep it up for 300 ms.
 */
export function lazyScreen<P extends object>(load: Load<P>) {
  let Loaded: ComponentType<P> | undefined;

  function fetchOnce(): Promise<{ default: ComponentType<P> }> {
    return new Promise((resolve, reject) => {
      const coming = load().then((module) => {
        Loaded = module.default;
        resolve(module);
      });
      const missing = () => reject(new MissingCodeError(coming));
      const late = setTimeout(missing, LATE_MS);
      coming.catch(missing).finally(() => clearTimeout(late));
    });
  }

  const Waiting = lazy(fetchOnce);

  // biome-ignore lint/correctness/noComponentHookFactories: called once per screen, when its module is evaluated
  function Screen(props: P) {
    // Settled when it mounts: to change from the one to the other would lose the screen's state.
    const [At = Waiting] = useState(() => Loaded);
    return <At {...props} />;
  }
  /** Never rejects: what fails here fails again, and is told, when the screen is drawn. */
  Screen.preload = (): Promise<unknown> => fetchOnce().catch(() => undefined);
  return Screen;
}
