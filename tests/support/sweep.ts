import { test as everyTest, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The tests that a project runs of the files that use this module: a sample of the sweeps and no rare test, all there is, or
     * the rare tests alone, where another project runs the others.
     */
    sweep: 'sample' | 'whole' | 'rare';
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

/**
 * `test` for a rarer way through a screen (hostile hands, a race, a failure, a size) in a file of commoner ones:
 * `npm run test:slow` runs it, `npm test` skips it. A file without sweeps takes `test` from here, too, so that its common
 * tests are not run twice.
 */
export const rare = inject('sweep') === 'sample' ? everyTest.skip : everyTest;
export const test = inject('sweep') === 'rare' ? everyTest.skip : everyTest;
