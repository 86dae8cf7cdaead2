// A window calls listeners in the order of registration. To get Back and Forward before the router does, this module
// has to be loaded before it: by the first module.

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
