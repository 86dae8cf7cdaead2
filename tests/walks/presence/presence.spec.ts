import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setUpWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { card, live, openDetails, reportByHand } from '#tests/support/screens/issues-screen.ts';
import { createMeeting } from '#tests/support/screens/presence-site.ts';

const setting = setUpWebSetting();

const MONA_THERE = { name: 'Mona Manager has this issue open' };
const VERA_THERE = { name: 'Vera Viewer has this issue open' };

async function open(...[person, path, options]: Parameters<WebSetting['open']>): Promise<Page> {
  const page = await setting.open(person, path, options);
  await live(page);
  return page;
}

test('live/T8 who has an issue open is seen by the others, on its card and in it, while they do, with what they edit', async () => {
  const { building, mona, vera } = await createMeeting(setting, 'manager');
  const board = `/building-issues?building=${building.id}`;
  const hers = await open(mona, board);
  const other = await open(vera, board);
  await reportByHand(hers, 'Harbour House', 'Lift 2 stuck');

  await openDetails(hers, 'Lift 2 stuck');
  await card(other, 'Open', 'Lift 2 stuck').getByRole('img', MONA_THERE).waitFor();
  const details = await openDetails(other, 'Lift 2 stuck');
  await details.getByRole('img', MONA_THERE).waitFor();
  await hers.getByRole('dialog').getByRole('img', VERA_THERE).waitFor();
  // People do not see themselves.
  expect(await hers.getByRole('img', MONA_THERE).count()).toBe(0);

  await hers.getByRole('dialog').getByLabel('Description').focus();
  await details.getByText('Mona Manager is editing Description', { exact: true }).waitFor();

  // A person who opens a link sees at once who is there.
  const [address] = other.url().split('#');
  await other.goto('/dashboard');
  await hers.getByRole('dialog').getByRole('img', VERA_THERE).waitFor({ state: 'hidden' });
  await other.goto(address ?? '');
  await other.getByRole('dialog').getByRole('img', MONA_THERE).waitFor();

  await hers.keyboard.press('Escape');
  await other.getByRole('dialog').getByRole('img', MONA_THERE).waitFor({ state: 'hidden' });
});
