import { expect, test } from 'vitest';
import { SETTINGS } from '#server/kernel/env-settings.ts';
import { textOf } from '#tests/support/code/imports.ts';

// Generated from the table of settings: vitest with `-u` on this file rewrites `.env.example`.
const HEAD = `# Settings of Lintel, each with an example. docs/operating.md says more about them.
# Read by: set -a; . ./.env; set +a; npm start
`;

/**
 * The part of an example that can be written into a file: the beginning of "HOST=127.0.0.1 (this machine only) or …".
 */
function lineOf(example: string): string {
  return example.replace(/ \(.*$/, '');
}

test('.env.example has every setting', async () => {
  const paragraphs = Object.values(SETTINGS).map(
    ({ expected, example }) => `\n# Expected: ${expected}.\n# ${lineOf(example)}\n`,
  );
  await expect(HEAD + paragraphs.join('')).toMatchFileSnapshot('../../../.env.example');
});

test('every example in .env.example is one that the server takes', () => {
  const given = [...textOf('.env.example').matchAll(/^# ([A-Z0-9_]+)=(.+)$/gm)].map(
    ([, name = '', value = '']) => [name, value.replace(/^"(.*)"$/, '$1')] as const,
  );
  expect(given.map(([name]) => name)).toEqual(Object.keys(SETTINGS));
  const schemas: Record<string, (typeof SETTINGS)[keyof typeof SETTINGS]> = SETTINGS;
  // A whole key as an example would be a key that everybody knows.
  const whole = given.filter(([, value]) => !value.endsWith('…'));
  const refused = whole.filter(([name, value]) => schemas[name]?.schema.safeParse(value).success !== true);
  expect(refused).toEqual([]);
});

test('docs/operating.md has every setting with its default', () => {
  const rows = [...textOf('docs/operating.md').matchAll(/^\| `([A-Z0-9_]+)` \| (not set|`[^`]*`) \|/gm)];
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(SETTINGS));
  const schemas: Record<string, (typeof SETTINGS)[keyof typeof SETTINGS]> = SETTINGS;
  for (const [, name = '', cell = ''] of rows) {
    const { schema } = schemas[name] ?? SETTINGS.PORT;
    const absent = schema.safeParse(undefined).data;
    if (cell === 'not set') expect([undefined, []], name).toContainEqual(absent);
    else expect(schema.safeParse(cell.replaceAll('`', '')).data, name).toEqual(absent);
  }
});
