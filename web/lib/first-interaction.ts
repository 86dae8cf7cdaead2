const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

/**
 * Calls once, at the first pointer movement or key press. That is a good moment to fetch code that is needed next: the
 * page is complete by then, and a later loss of the connection does no harm. @returns stops waiting
 */
export function onFirstInteraction(work: (sign: Event) => void): () => void {
  function stop() {
    for (const sign of SIGNS) window.removeEventListener(sign, onSign);
  }
  function onSign(sign: Event) {
    stop();
    work(sign);
  }
  for (const sign of SIGNS) window.addEventListener(sign, onSign);
  return stop;
}
