// The checks before every commit: types, lint, unused code and unit tests. If one fails, the others still run.
import { closingLines } from './lib/closing-lines.mjs';
import { runStaticChecks } from './lib/static-checks.mjs';
import { runTests } from './lib/test-run.mjs';

const checks = await runStaticChecks();
const tests = await runTests(['unit'], []);
const { lines, isSound } = closingLines({ checks, tests, known: [] });
console.log(`\n${lines.join('\n')}`);
process.exitCode = isSound ? 0 : 1;
