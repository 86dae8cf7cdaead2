// Runs a command of package.json with another major version of Node, which is installed from the npm registry into .cache.
// Shows that the product and its tests run on each version that the README names.
//
//   npm run with-node -- 24 test
//   npm run with-node -- 22 demo
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './lib/built.mjs';

const [major = '', command = '', ...args] = process.argv.slice(2);
if (!/^\d+$/.test(major) || command === '') {
  console.error('Say which version and which command, for example: npm run with-node -- 24 test');
  process.exit(2);
}

const folder = join(root, '.cache', `node-${major}`);
// The package for one platform contains the program. The package `node` would download the program in an install script.
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const bin = join(folder, 'node_modules', name, 'bin');
if (!existsSync(bin)) {
  console.log(`Installing Node ${major} into .cache …`);
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  if (npm(process.env, 'install', ...options, `${name}@${major}`) !== 0) process.exit(1);
}

const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
// The npm that runs this script sets these variables. With them, the next npm would run on this script's Node.
delete env.npm_node_execpath;
delete env.NODE;
console.log(
  `Node ${spawnSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).stdout.trim()}: npm run ${command}`,
);
process.exitCode = npm(env, 'run', command, ...(args.length === 0 ? [] : ['--', ...args]));

function npm(env, ...args) {
  const { status, error } = spawnSync('npm', args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error !== undefined) console.error(error.message);
  return status ?? 1;
}
