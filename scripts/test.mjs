// Types, lint, unused code, then the unit, integration and browser tests.
//
//   npm test
//   npm test -- tests/unit/env.test.ts     only these tests (any arguments go to vitest)
//   npm run test:slow                      only the tests that kill processes, fill a disk or measure
import { runStaticChecks, runTests } from './lib/static-checks.mjs';

const given = process.argv.slice(2);
const isSlow = given[0] === '--slow';
const args = isSlow ? given.slice(1) : given;
const isWhole = args.length === 0 && !isSlow;

const sound = !isWhole || (await runStaticChecks());
const passed = await runTests(isSlow ? ['--project=slow*', ...args] : isWhole ? ['--project=!slow*'] : args);
process.exitCode = sound && passed ? 0 : 1;
if (!sound) console.log('The checks above the tests failed.');
