// A window calls listeners in the order of registration. To receive Back and Forward before the router does, this module
// must be loaded before the router, so the first module (`start.tsx`) imports it first.

type Gate = (event: PopStateEvent) => void;
let gate: Gate | undefined;
window.addEventListener('popstate', (event) => gate?.(event));

/** Intercepts each step through the browser's history before the router, until the returned function is called. */
export function interceptHistory(heard: Gate): () => void {
  gate = heard;
  return () => {
    if (gate === heard) gate = undefined;
  };
}
