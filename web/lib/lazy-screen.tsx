import { type ComponentType, lazy, useState } from 'react';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/**
 * A screen whose code is fetched when it is needed, or before: once `preload` has it, it is drawn at once. React's
 * own `lazy` would show the waiting state even then, and keep it up for 300 ms.
 */
export function lazyScreen<P extends object>(load: Load<P>) {
  let Loaded: ComponentType<P> | undefined;

  async function fetchOnce(): Promise<{ default: ComponentType<P> }> {
    const module = await load();
    Loaded = module.default;
    return module;
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
