import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = (path) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));

const layers = ['shared', 'server', 'web', 'web/worker', 'tests'];

/** Checks of the code that need not run it. */
const checks = [
  ...layers.map((layer) => ({
    name: `types of ${layer}`,
    run: [bin('typescript/bin/tsc'), ...compilerArgs(layer)],
  })),
  {
    name: 'lint and format',
    run: [bin('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '--colors=off', '.'],
  },
  {
    name: 'unused code',
    run: [bin('knip/bin/knip.js'), '--config', 'knip.json', '--no-progress'],
  },
];

/**
 * One thread each, because two compilers at a time keep two cores busy, and more threads only wait for each other. What
 * has not changed since the last run is not checked again.
 */
function compilerArgs(layer) {
  const buildInfo = `.cache/types/${layer.replace('/', '-')}.tsbuildinfo`;
  return ['-p', layer, '--singleThreaded', '--incremental', '--tsBuildInfoFile', buildInfo];
}

/**
 * Runs all checks, two at a time, and prints the output of each when it has finished.
 * @returns {Promise<boolean>} whether all of them passed
 */
export async function runStaticChecks() {
  const waiting = [...checks];
  const failed = [];
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const started = Date.now();
      const { code, output } = await run(check.run);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      const passed = code === 0;
      console.log(`${passed ? '✓' : '✗'} ${check.name} (${seconds} s)`);
      if (!passed) console.log(output.trimEnd().replace(/^/gm, '  '));
      if (!passed) failed.push(check.name);
    }
  };
  await Promise.all([worker(), worker()]);
  if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
  return failed.length === 0;
}

/**
 * Runs the tests.
 * @param {string[]} args for vitest
 * @returns {Promise<boolean>} whether all of them passed
 */
export async function runTests(args) {
  const vitest = [bin('vitest/vitest.mjs'), 'run', '--config', 'tests/vitest.config.ts', ...args];
  return (await run(vitest, 'inherit')).code === 0;
}

function run(args, stdio = 'pipe') {
  return new Promise((resolve, reject) => {
    // Programs of npm packages are scripts for Node, some not marked as executable, so all are run by Node.
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', stdio, stdio] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    const forward = (signal) => child.kill(signal);
    process.on('SIGTERM', forward);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('SIGTERM', forward);
      resolve({ code, output });
    });
  });
}
