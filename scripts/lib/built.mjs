import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Defines the builds and their sources, and decides whether a build is up to date. Runs before any package is installed, so
// it uses only Node's own modules.

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A build: the pages, or the server as one file (which loads five times faster than its sources).
 * @typedef {{ output: string, sources: string[], stamp: string }} Build
 */
/** @type {Build} */
export const pages = {
  output: join(root, 'web', 'dist', 'index.html'),
  sources: ['web', 'shared'],
  stamp: join(root, 'web', 'dist', '.built-from'),
};
/** @type {Build} */
export const server = {
  output: join(root, '.cache', 'server', 'main.js'),
  sources: ['server', 'db', 'shared', 'scripts/admin', 'scripts/admin.ts'],
  stamp: join(root, '.cache', 'server', '.built-from'),
};

/** Files that affect the outputs, in addition to their sources. */
const BUILDERS = ['package-lock.json', 'scripts/lib/built.mjs', 'scripts/lib/server-build.mjs'];

/**
 * Whether the output is up to date.
 * @param {Build} build
 */
export function isBuilt(build) {
  return existsSync(build.output) && readText(build.stamp) === keyOf(build);
}

/**
 * Calls `work`, which builds, and then stores the key of the sources.
 * @param {Build} build
 * @param {() => void} work
 */
export function building(build, work) {
  const key = keyOf(build);
  rmSync(build.stamp, { force: true });
  work();
  writeFileSync(build.stamp, key);
}

/** A hash of all sources and of their location, because the server's file contains absolute paths. */
function keyOf({ sources }) {
  const hash = createHash('sha256').update(root);
  const paths = [...BUILDERS, ...sources.flatMap(filesUnder)];
  for (const path of paths) hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

function filesUnder(source) {
  if (statSync(join(root, source)).isFile()) return [source];
  return readdirSync(join(root, source), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${source}/${entry.name}`;
      if (path === 'web/dist') return [];
      return entry.isDirectory() ? filesUnder(path) : [path];
    });
}

/** Reads a file; empty if there is none. */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
