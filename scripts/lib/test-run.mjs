import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runNode } from './run-node.mjs';

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const REPORT = at('.cache/test-report.json');

/** The folders of `tests` that contain tests. Each has a folder for each feature and each other part of the code. */
export const SUITES = ['unit', 'integration', 'walks', 'screens', 'slow'];

/**
 * Runs tests, and prints what Vitest prints.
 * @param {string[]} projects of `tests/vitest.config.ts`; all if empty
 * @param {string[]} files parts of file names, or other arguments for Vitest; all files if empty
 * @returns {Promise<import('#tests/support/run/report.ts').TestReport & { code: number | null } | undefined>} undefined if
 *   Vitest did not finish
 */
export async function runTests(projects, files) {
  mkdirSync(at('.cache'), { recursive: true });
  rmSync(REPORT, { force: true });
  const chosen = projects.flatMap((name) => ['--project', name]);
  const args = ['run', '--config', 'tests/vitest.config.ts', ...chosen, ...files];
  const { code } = await runNode([at('node_modules/vitest/vitest.mjs'), ...args], {
    stdio: 'inherit',
    env: { ...process.env, TEST_REPORT: REPORT },
  });
  try {
    return { ...JSON.parse(readFileSync(REPORT, 'utf8')), code };
  } catch {
    return undefined;
  }
}

/**
 * @param {string[]} features such as `tasks`
 * @returns {string[]} the folders of their tests, in all suites
 * @throws an Error that names all features, if a given feature has no tests or no feature is given
 */
export function foldersOf(features) {
  const all = SUITES.flatMap((suite) =>
    readdirSync(at(`tests/${suite}`)).map((feature) => ({ feature, folder: `tests/${suite}/${feature}/` })),
  );
  const known = [...new Set(all.map(({ feature }) => feature))].sort();
  const unknown = features.filter((feature) => !known.includes(feature));
  if (features.length === 0 || unknown.length > 0) {
    const problem = unknown.length > 0 ? `No tests are of ${unknown.join(', ')}. ` : '';
    throw new Error(`${problem}Name one or more of: ${known.join(', ')}`);
  }
  return all.filter(({ feature }) => features.includes(feature)).map(({ folder }) => folder);
}

/** The tests that needed a second try in an earlier run (`tests/second-tries.txt`). */
export function knownSecondTries() {
  return readFileSync(at('tests/second-tries.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}
