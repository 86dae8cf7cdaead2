// Completes package-lock.json for every platform.
//
// A registry mirror may lack the binaries of some platforms. npm then leaves these binaries out of the lock file, and
// `npm ci` refuses the file everywhere ("Missing: … from lock file"), or installs without the binary.
// Run this after every change of the dependencies:
//
//   npm install --package-lock-only && node scripts/complete-lock.mjs && npm ci --dry-run
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));

/** Derives the platform from a binary's name: `cli-linux-arm64-musl`, `binding-win32-x64-msvc`, … */
function platformOf(name) {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-');
  const os = words.find((word) =>
    ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'sunos', 'win32'].includes(word),
  );
  const cpu = words.find((word) =>
    ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'].includes(word),
  );
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) {
    throw new Error(`Cannot tell from its name on which platform ${name} runs: add it by hand.`);
  }
  const musl = words.some((word) => word.startsWith('musl'));
  return {
    cpu: [cpu],
    ...(os === 'linux' ? { libc: [musl ? 'musl' : 'glibc'] } : {}),
    ...(os === undefined ? {} : { os: [os] }),
  };
}

const added = [];
for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const places = [`${parent === '' ? '' : `${parent}/`}node_modules/${name}`, `node_modules/${name}`];
    if (places.some((place) => place in lock.packages)) continue;
    if (!/^\d+\.\d+\.\d+/.test(version)) {
      throw new Error(`${name} is wanted as ${version}, which is no exact version.`);
    }
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(entry.dev === true ? { dev: true } : {}),
      optional: true,
      ...platformOf(name),
    };
    added.push(`${name}@${version}`);
  }
}

const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'The lock file was complete.' : `Added:\n  ${added.join('\n  ')}`);
