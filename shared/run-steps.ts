/** Runs work that is written in steps in one go. The server yields to other work between the steps (`finishYielding`). */
export function runSteps<R>(work: Generator<unknown, R, undefined>): R {
  for (;;) {
    const { done, value } = work.next();
    // The cast: a step that is not the last one has no result.
    if (done === true) return value as R;
  }
}
