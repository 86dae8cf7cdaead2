// `input` is for a form that a password manager fills in.
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'input'] as const;

/**
 * Calls `work` once, at the first pointer movement, key press or input. That is a good moment to fetch code that is
 * needed next: the page is complete by then, and a later loss of the connection does no harm.
 * @returns a function that stops waiting
 */
export function onFirstInteraction(work: (sign: Event) => void): () => void {
  function stop() {
    for (const sign of SIGNS) window.removeEventListener(sign, onSign);
  }
  function onSign(sign: Event) {
    if (isStill(sign)) return;
    stop();
    work(sign);
  }
  for (const sign of SIGNS) window.addEventListener(sign, onSign);
  return stop;
}

/** Whether the pointer did not move: browsers also report a pointer event if the element under the pointer has changed. */
function isStill(sign: Event): boolean {
  return (
    sign instanceof PointerEvent &&
    sign.type === 'pointermove' &&
    sign.movementX === 0 &&
    sign.movementY === 0
  );
}
