import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a program of an npm package. Such programs are scripts for Node, but not all are executable files, so Node runs them.
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export function runNode(args, { stdio = 'pipe', env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', stdio, stdio] });
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
