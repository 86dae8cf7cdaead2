// Everything: types, lint, unused code, then the unit, integration and browser tests.
//
//   npm test
//   npm test -- tests/unit/env.test.ts     only these tests (any arguments go to vitest)
import { runStaticChecks, runTests } from './lib/static-checks.mjs';

const args = process.argv.slice(2);
const sound = args.length > 0 || (await runStaticChecks());
const passed = await runTests(args);
process.exitCode = sound && passed ? 0 : 1;
if (!sound) console.log('The checks above the tests failed.');
