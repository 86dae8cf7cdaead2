// Collects what an image contains, after the set-up of a clone has built it: a folder that becomes the root of the image.
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
/** The paths of the sources are in the server's file, so it runs from where it was built. */
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
// The root file system is read-only later.
prepareBinaries(join(home, 'node_modules', postgres, 'native'));

// Postgres refuses users without a name.
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

/** Installs the packages of the lock file for another architecture. @returns the folder of `node_modules` */
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
