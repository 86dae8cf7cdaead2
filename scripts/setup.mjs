// Prepares a clone: installs the packages of package-lock.json, and builds the pages and the server, each only after a
// change. Runs before `npm start`, `npm test` and similar commands, so it uses only Node's own modules.
//
//   node scripts/setup.mjs [--no-build]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { building, isBuilt, pages, readText, root, server } from './lib/built.mjs';

const installStamp = join(root, 'node_modules', '.lintel-installed');
const patches = join(root, 'db', 'patches');
const lockFile = join(root, '.cache', 'setup.lock');

checkNode();
const wantsBuild = !process.argv.includes('--no-build');
// A set-up with nothing to do takes no lock, so it can run beside others.
if (!isInstalled() || (wantsBuild && !areBuilt())) {
  await withLock(() => {
    if (!isInstalled() && !adoptInstallation()) timed('packages installed', install);
    if (wantsBuild && !isBuilt(pages)) timed('pages built', () => building(pages, buildPages));
    if (wantsBuild && !isBuilt(server)) timed('server built', () => building(server, buildServer));
  });
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  stop(`Lintel needs Node 20.19 or later, and this is Node ${process.versions.node} (${process.execPath}).`);
}

function isInstalled() {
  return readText(installStamp) === installKey();
}

/** A hash of everything that decides the installed packages: the lock file, patches, platform and Node's ABI version. */
function installKey() {
  const hash = createHash('sha256').update(readText(join(root, 'package-lock.json')));
  for (const name of readdirSync(patches).sort()) hash.update(`${name} ${readText(join(patches, name))}`);
  return hash.update(`${process.platform} ${process.arch} ${process.versions.modules}`).digest('hex');
}

/** Accepts packages that were installed by hand with npm, if they match the lock file, and patches them. */
function adoptInstallation() {
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  if (installed === undefined || wanted === undefined) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const version = installed[path]?.version;
    if (version !== entry.version && !(version === undefined && (entry.optional || entry.peer))) return false;
  }
  for (const [path, entry] of Object.entries(installed)) {
    if (entry.os !== undefined && !entry.os.includes(process.platform)) return false;
    if (!existsSync(join(root, path, 'package.json'))) return false;
  }
  return patch({ quiet: true });
}

function install() {
  console.log('Installing packages (only after a change of package-lock.json) …');
  rmSync(installStamp, { force: true });
  // Removes the patched packages, so that npm unpacks them again without any patch, also without patches that were deleted.
  for (const name of patchedPackages())
    rmSync(join(root, 'node_modules', name), { recursive: true, force: true });
  if (!npm('ci', '--include=dev', '--no-audit', '--no-fund')) {
    // Some versions of npm reject the lock file for `npm ci` but can install from it.
    console.log('"npm ci" failed; trying "npm install" …');
    if (!npm('install', '--no-save', '--include=dev', '--no-audit', '--no-fund')) {
      stop('The packages could not be installed; what npm says is above.');
    }
  }
  if (patch()) return;
  stop('The patches of db/patches do not fit the installed packages; what does not is above.');
}

/**
 * Applies the patches that are not yet applied, and stores the key of the installation.
 * @returns false if a patch does not fit
 */
function patch({ quiet = false } = {}) {
  const program = join(root, 'node_modules', 'patch-package', 'index.js');
  const args = [program, '--patch-dir', relative(root, patches), '--error-on-fail'];
  // The output has a line for each patch and is shown only after a failure.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) {
    if (!quiet) console.error(stdout, stderr);
    return false;
  }
  writeFileSync(installStamp, installKey());
  return true;
}

/** The packages with patches. A patch's file name begins with the name of its package, "@scope+name" for "@scope/name". */
function patchedPackages() {
  const names = readdirSync(patches).map((name) => name.replace(/\+\d+\..*$/, '').replace('+', '/'));
  return new Set(names);
}

function npm(...args) {
  // NODE_ENV=production would leave out packages that builds and tests need.
  const { NODE_ENV: _, npm_execpath: npmProgram = '', ...env } = process.env;
  // Uses the npm that runs this script; if there is none (plain `node scripts/setup.mjs`), the npm on the path.
  const ours = /\bnpm-cli\.c?js$/.test(npmProgram);
  return ours
    ? run(process.execPath, [npmProgram, ...args], { env })
    : run('npm', args, { env, shell: process.platform === 'win32' });
}

function timed(done, work) {
  const started = Date.now();
  work();
  console.log(`${done} in ${Math.round((Date.now() - started) / 1000)} s`);
}

function areBuilt() {
  return isBuilt(pages) && isBuilt(server);
}

function buildPages() {
  console.log('Building the pages (only after a change) …');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const env = { ...process.env, NODE_ENV: 'production' };
  const args = [vite, 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'];
  if (!run(process.execPath, args, { env })) stop('The pages could not be built; what Vite says is above.');
}

function buildServer() {
  console.log('Building the server (only after a change) …');
  const env = { ...process.env, NODE_ENV: 'production' };
  if (!run(process.execPath, ['scripts/lib/server-build.mjs'], { env })) {
    stop('The server could not be built; what Vite says is above.');
  }
}

/** Allows only one set-up at a time per clone, because one set-up could empty node_modules while another uses it. */
async function withLock(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  let announced = false;
  while (!takeLock()) {
    const holder = Number(readText(lockFile));
    const since = statSync(lockFile, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    // The pid of a killed set-up may now belong to another program, so a lock older than 15 minutes is ignored.
    if ((holder > 0 && !isAlive(holder)) || holder === process.pid || Date.now() - since > 15 * 60_000) {
      rmSync(lockFile, { force: true });
      continue;
    }
    if (!announced)
      console.log(`Another set-up is running in this clone (process ${holder}); waiting for it …`);
    announced = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  process.on('exit', () => rmSync(lockFile, { force: true }));
  work();
}

function takeLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    return stop(`This folder cannot be written (${error.message}), so Lintel cannot be set up in it.`);
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function run(command, args, options) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options }).status === 0;
}

function readJson(path) {
  const text = readText(path);
  return text === '' ? undefined : JSON.parse(text);
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
