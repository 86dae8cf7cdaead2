import { fileURLToPath } from 'node:url';
import { runNode } from './run-node.mjs';

const bin = (path) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));

const layers = ['shared', 'server', 'web', 'web/worker', 'tests'];

/** Static checks: they do not run the code. */
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
 * One thread for each compiler, because two compilers run at a time and use two cores; more threads would only wait for each
 * other. Files that have not changed since the last run are not checked again.
 */
function compilerArgs(layer) {
  const buildInfo = `.cache/types/${layer.replace('/', '-')}.tsbuildinfo`;
  return ['-p', layer, '--singleThreaded', '--incremental', '--tsBuildInfoFile', buildInfo];
}

/**
 * Runs all checks, two at a time, and prints the output of each when it has finished.
 * @returns {Promise<{ seconds: number, failed: string[] }>} `failed`: the names of the checks that failed
 */
export async function runStaticChecks() {
  const begun = Date.now();
  const waiting = [...checks];
  const failed = [];
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const started = Date.now();
      const { code, output } = await runNode(check.run);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      const passed = code === 0;
      console.log(`${passed ? '✓' : '✗'} ${check.name} (${seconds} s)`);
      if (!passed) console.log(output.trimEnd().replace(/^/gm, '  '));
      if (!passed) failed.push(check.name);
    }
  };
  await Promise.all([worker(), worker()]);
  return { seconds: (Date.now() - begun) / 1000, failed };
}
