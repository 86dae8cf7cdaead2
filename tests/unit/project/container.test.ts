import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTINGS } from '#server/kernel/env-settings.ts';

// Tests cannot run the compose file, so its settings are compared with those of the server.

const FOLDER = new URL('../../../scripts/container/', import.meta.url);
const compose = readFileSync(new URL('compose.yaml', FOLDER), 'utf8');
const example = readFileSync(new URL('.env.example', FOLDER), 'utf8');
/** Variables that only the compose file uses. */
const OWN = ['APP_PASSWORD', 'OWNER_PASSWORD', 'BACKUP_FOLDER'];

const namesIn = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name ?? ''))].sort();
const asked = namesIn(compose, /\$\{([A-Z0-9_]+)/g);

test('asks for settings that the server has', () => {
  expect(asked.filter((name) => !OWN.includes(name) && !Object.hasOwn(SETTINGS, name))).toEqual([]);
});

test('the example names settings that it asks for', () => {
  const named = namesIn(example, /^(?:# )?([A-Z0-9_]+)=/gm);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !asked.includes(name))).toEqual([]);
});

test('a container has as long to end as the unit file gives', () => {
  const operating = readFileSync(new URL('../../docs/operating.md', FOLDER), 'utf8');
  const [, seconds = ''] = /^TimeoutStopSec=(\d+)$/m.exec(operating) ?? [];
  expect(compose).toContain(`stop_grace_period: ${seconds}s`);
});
