// Runs a suite of tests. File names, or parts of them, choose among its files.
//
//   npm test                        types, lint, unused code, unit and integration tests, and the walks
//   npm test -- tests/unit/shared   only these files, of any suite
//   npm run test:screens            all other tests of the screens, in a browser
//   npm run test:slow               tests that kill processes, fill disks or count much data, one file at a time
//   npm run test:for -- tasks       all tests of these features, of all suites
import { closingLines } from './lib/closing-lines.mjs';
import { runStaticChecks } from './lib/static-checks.mjs';
import { foldersOf, knownSecondTries, runTests } from './lib/test-run.mjs';

const PROJECTS = {
  test: ['unit', 'integration', 'walks'],
  screens: ['screens'],
  slow: ['slow'],
};

const [, , suite = 'test', ...given] = process.argv;
const isWhole = given.length === 0;
const files = suite === 'for' ? foldersOrExit(given) : given;
const projects = PROJECTS[suite === 'test' && !isWhole ? 'for' : suite] ?? [];

const checks = suite === 'test' && isWhole ? await runStaticChecks() : undefined;
const tests = await runTests(projects, files);
const { lines, isSound } = closingLines({ checks, tests, known: knownSecondTries() });
console.log(`\n${lines.join('\n')}`);
process.exitCode = isSound ? 0 : 1;

/** The folders of these features. An unknown name ends the run with a message. */
function foldersOrExit(features) {
  try {
    return foldersOf(features);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
