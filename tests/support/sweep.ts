import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How much of a sweep the tests of this project go through. */
    sweep: 'sample' | 'whole';
  }
}

/**
 * The cases of a sweep: a test that repeats one contract over a long list. `npm run test:slow` goes through all of them,
 * `npm test` through a sample of `size`, evenly spread and always the same, so that a failure can be repeated.
 */
export function sweep<Case>(cases: readonly Case[], size: number): readonly Case[] {
  if (inject('sweep') === 'whole' || size >= cases.length) return cases;
  const step = cases.length / size;
  return Array.from({ length: size }, (_, at) => cases[Math.floor((at + 0.5) * step)]).filter(
    (one) => one !== undefined,
  );
}
