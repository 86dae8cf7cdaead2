// A window calls its listeners in the order in which they came, so whoever wants to hear of Back and Forward before the
// router does must be there before it: this module is loaded by the first one.

type Gate = (event: PopStateEvent) => void;
let gate: Gate | undefined;
window.addEventListener('popstate', (event) => gate?.(event));

/** Hears of each step through the browser's history before the router, until the returned function is called. */
export function interceptHistory(heard: Gate): () => void {
  gate = heard;
  return () => {
    if (gate === heard) gate = undefined;
  };
}
