// Collects the contents of an image, after `scripts/setup.mjs` has built them, in a folder that becomes its root.
//
//   node --import tsx scripts/container/collect.ts <folder> [amd64 | arm64]
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFor, prepareBinaries } from '#db/embedded/binaries.ts';
import { root } from '../lib/built.mjs';

const UID = 10_001;
/** Node's names of the architectures of images. */
const ARCHITECTURES: Readonly<Record<string, string>> = { amd64: 'x64', arm64: 'arm64' };

const [image, target = ''] = process.argv.slice(2);
const arch = target === '' ? process.arch : ARCHITECTURES[target];
if (image === undefined || arch === undefined) {
  console.error('Usage: node --import tsx scripts/container/collect.ts <folder> [amd64 | arm64]');
  process.exit(64);
}
/** The same path as at build time, because the bundle of the server contains the paths of its sources. */
const home = join(image, root);
const postgres = packageFor('linux', arch, 'glibc');
/** Packages that are loaded at run time. The bundle of the server contains all others. */
const PACKAGES = [
  '@node-rs/argon2',
  `@node-rs/argon2-linux-${arch}-gnu`,
  postgres,
  'fxa-common-password-list',
];

for (const path of [
  'package.json',
  'LICENSE',
  '.cache/server',
  'web/dist',
  'db/migrations',
  'db/functions',
]) {
  copy(join(root, path), join(home, path));
}
copy(join(root, 'scripts/container/healthy.mjs'), join(home, 'scripts/container/healthy.mjs'));
const packages = arch === process.arch ? root : installFor(arch);
for (const name of PACKAGES) copy(join(packages, 'node_modules', name), join(home, 'node_modules', name));
// Prepared here and not at the start, because the root file system of a container is read-only.
prepareBinaries(join(home, 'node_modules', postgres, 'native'));

// Postgres refuses to run as a user without an entry in /etc/passwd.
for (const name of ['passwd', 'group']) copy(`/etc/${name}`, join(image, 'etc', name));
appendFileSync(join(image, 'etc/passwd'), `lintel:x:${UID}:${UID}::/data:/usr/sbin/nologin\n`);
appendFileSync(join(image, 'etc/group'), `lintel:x:${UID}:\n`);

// `docker compose exec app admin …`
mkdirSync(join(image, 'usr/local/bin'), { recursive: true });
const admin = join(image, 'usr/local/bin/admin');
writeFileSync(
  admin,
  `#!/bin/sh\nexec node --enable-source-maps ${join(root, '.cache/server/admin.js')} "$@"\n`,
);
chmodSync(admin, 0o755);

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Installs the packages of the lock file for another architecture. @returns the folder that contains `node_modules` */
function installFor(cpu: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-packages-'));
  for (const name of ['package.json', 'package-lock.json']) copy(join(root, name), join(folder, name));
  const args = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', [...args, '--os=linux', `--cpu=${cpu}`, '--libc=glibc'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
  return folder;
}
