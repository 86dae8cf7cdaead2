/** Runs all steps of a generator without a pause. The server uses `finishYielding`, which yields to other work between them. */
export function runSteps<R>(work: Generator<unknown, R, undefined>): R {
  for (;;) {
    const { done, value } = work.next();
    // The cast: a step that is not the last one has no result.
    if (done === true) return value as R;
  }
}
