import type { Browser } from 'playwright-core';
import type { Sql } from 'postgres';
import { createPasswords } from '#server/adapters/auth/passwords.ts';
import type { Role } from '#shared/permissions.ts';
import { pause } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { TEST_PASSWORD } from '#tests/support/rows/factories.ts';
import { createBuildings, createPeople } from '#tests/support/rows/population.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { type Figure, median, round } from '../figure.ts';
import type { Setting } from '../setting.ts';

/** The slowdown of the CPU, to simulate a cheap phone of some years ago on this machine. */
const SLOWER = 6;
const NETWORK = {
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const PHONE = { width: 390, height: 844 };
const USABLE_MS = 2_000;
/** For each role, the text of a card with its figure. */
const USABLE: Readonly<Record<Extract<Role, 'operative' | 'manager'>, RegExp>> = {
  operative: /^Operative Tasks.*due/,
  manager: /^Building Issues.*none open/,
};

/**
 * How long a person waits after pressing Sign In on a slow phone that has never opened the app: with the form filled in by
 * hand, which takes some seconds, and by a password manager, where Sign In is the first touch.
 */
export async function firstPage(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('first_page');
  const emails = await withLogin(database.ownerUrl, people);
  const { url } = await setting.lintel(database.appUrl);
  const browser = await launchBrowser();
  setting.after(() => browser.close());
  const figures: Figure[] = [];
  for (const [role, card] of Object.entries(USABLE)) {
    for (const way of ['typed', 'filled in'] as const) {
      const times: number[] = [];
      let requests = 0;
      for (let n = 0; n < setting.rounds; n += 1) {
        const one = await signInOnce(browser, url, {
          email: emails.get(role) ?? '',
          card,
          typed: way === 'typed',
        });
        times.push(one.ms);
        requests = one.requests;
      }
      figures.push({
        name: `slow phone, ${role}, from Sign In to the first page, ${way}`,
        measured: `${round(median(times))} ms, ${requests} requests from the first touch on`,
        reference: `processor ${SLOWER}× slower, 1.6 Mbit/s, ${NETWORK.latency} ms`,
        value: median(times),
        unit: 'ms',
        goal: { atMost: USABLE_MS },
        note: `of ${times.length}: ${times.map((ms) => round(ms)).join(', ')} ms`,
      });
    }
  }
  return figures;
}

async function people(sql: Sql): Promise<Map<string, string>> {
  const [building] = await createBuildings(sql, 1);
  if (building === undefined) throw new Error('no building was made');
  const roles = ['operative', 'manager'] as const;
  const made = await createPeople(
    sql,
    roles.map((role) => ({ role, buildings: [building.id] })),
  );
  const password_hash = await createPasswords().hash(TEST_PASSWORD);
  const changed_at = new Date().toISOString();
  await sql`insert into credentials ${sql(made.map(({ id }) => ({ user_id: id, password_hash, changed_at })))}`;
  return new Map(roles.map((role, n) => [role, made[n]?.email ?? '']));
}

async function signInOnce(
  browser: Browser,
  url: string,
  { email, card, typed }: { email: string; card: RegExp; typed: boolean },
): Promise<{ ms: number; requests: number }> {
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...NETWORK });
  await page.goto(`${url}/auth/login`);
  await page.getByRole('button', { name: 'Sign In' }).waitFor();
  await page.waitForLoadState('networkidle');
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  if (typed) {
    await page.getByLabel('Email').tap();
    await page.getByLabel('Email').pressSequentially(email.slice(0, 20), { delay: 100 });
  }
  // Fills the form in as a password manager does, without a touch.
  await page.evaluate(
    ([address, password]) => {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
      for (const [type, value] of [
        ['email', address],
        ['password', password],
      ]) {
        const input = document.querySelector(`input[type=${type}]`);
        set?.call(input, value);
        input?.dispatchEvent(new Event('input', { bubbles: true }));
      }
    },
    [email, TEST_PASSWORD],
  );
  // The person looks at the filled form before pressing Sign In.
  if (!typed) await pause(1_000);
  const usable = page.evaluate(timeToCard, card.source);
  await page.getByRole('button', { name: 'Sign In' }).tap();
  const ms = await usable;
  await context.close();
  return { ms, requests };
}

/**
 * Runs in the page: the time from the touch until the frame with the card is painted, in ms. Measured in the page, because
 * finding elements from outside takes the slowed page two hundred milliseconds, and is tried every half second.
 */
function timeToCard(source: string): Promise<number> {
  const card = new RegExp(source);
  return new Promise((resolve) => {
    let touched = 0;
    // No function with a name: the compiler would add a helper to it, which does not exist in the page.
    addEventListener(
      'pointerdown',
      ({ timeStamp }) => {
        touched = timeStamp;
      },
      { capture: true, once: true },
    );
    const observer = new MutationObserver(() => {
      if (![...document.links].some(({ textContent }) => card.test(textContent ?? ''))) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - touched)));
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  });
}
