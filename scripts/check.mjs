// The checks before every commit: types, lint, unused code and unit tests. All of them run, whatever fails.
import { runStaticChecks, runTests } from './lib/static-checks.mjs';

const sound = await runStaticChecks();
const passed = await runTests(['--project', 'unit']);
process.exitCode = sound && passed ? 0 : 1;
if (!sound) console.log('The checks above the tests failed.');
