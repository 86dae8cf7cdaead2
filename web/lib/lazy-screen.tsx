import { type ComponentType, lazy, useState } from 'react';

/** After this time the code counts as missing; if it arrives later, the screen is drawn nevertheless. */
const LATE_MS = 10_000;

/** Thrown if the code of a screen could not be loaded, or not in time. */
export class MissingCodeError extends Error {
  /** Resolves if the code arrives later. */
  readonly coming: Promise<unknown>;

  constructor(coming: Promise<unknown>) {
    super('The code of this screen has not come');
    this.coming = coming;
  }
}

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/**
 * A screen whose code is loaded on demand; after `preload` it is drawn at once. React's own `lazy` would show its
 * fallback even then, for 300 ms.
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
    // Decided at mount: a change from one component to the other would lose the screen's state.
    const [At = Waiting] = useState(() => Loaded);
    return <At {...props} />;
  }
  /** Never rejects: a failure repeats, and is reported, when the screen is drawn. */
  Screen.preload = (): Promise<unknown> => fetchOnce().catch(() => undefined);
  return Screen;
}
