const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

/**
 * Calls once, at the first move or key: a good moment to fetch what will be needed next, since the page is there by
 * then and a connection that breaks later takes nothing away. @returns stops waiting
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
