import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, formatDay } from '#shared/dates.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { choose, task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// The parts of the tasks page that are in sight without scrolling, and those that appear only when they are needed.

const setting = setUpWebSetting({ clock: dayClock() });
let here: TasksSite;

beforeEach(async () => {
  here = await createTasksSite(setting);
});

async function boxOf(one: Locator) {
  const box = await one.boundingBox();
  if (box === null) throw new Error('not drawn');
  return { ...box, bottom: box.y + box.height };
}

/** The number of lines of a text. */
const linesOf = (one: Locator) =>
  one.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });

describe('on a phone', () => {
  async function openWithTasks(): Promise<Page> {
    const { tasks, today } = here;
    const words = 'inspection of all dry risers, landing valves and inlet breechings by the contractor';
    await tasks.add(words, {
      lastDone: addDays(today, -12),
      responsiblePerson: 'Northgate Fire and Security',
    });
    await tasks.mark(
      await tasks.add('marked', { lastDone: today }),
      'The horn in the yard is silent '.repeat(4),
    );
    await tasks.add('by check', { check: 'alarm_test' });
    const page = await here.open('', PHONE);
    await task(page, 'dry risers').waitFor();
    return page;
  }

  test('the first task is in sight, and no card is higher than 170 pixels', async () => {
    const page = await openWithTasks();
    expect((await boxOf(task(page, 'dry risers'))).bottom).toBeLessThanOrEqual(PHONE.viewport.height);
    for (const words of ['dry risers', 'marked', 'by check']) {
      expect((await boxOf(task(page, words))).height).toBeLessThanOrEqual(170);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.viewport.width);
  });

  test('the rarer links of the page are in a menu, and Schedule is where the task is opened', async () => {
    const page = await openWithTasks();
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Library', 'Import', 'Export CSV', 'Print']);
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export CSV' }).click();
    expect((await downloading).suggestedFilename()).toMatch(/\.csv$/);

    const { tasks, today } = here;
    const made = await tasks.add('sprinklers');
    await choose(page, made.taskNumber, 'Schedule…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(`New due date of ${made.taskNumber}`).fill(addDays(today, 5));
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await dialog
      .getByText(formatDay(addDays(today, 5)))
      .first()
      .waitFor();
    await expect.poll(async () => (await tasks.get(made.id)).due).toBe(addDays(today, 5));
  });
});

describe('on a tablet', () => {
  test('no choice of a filter is cut, nor a date or the days of a card; the responsible person is named', async () => {
    const { tasks, today } = here;
    await tasks.add('late', {
      frequency: 'biannually',
      lastDone: addDays(today, -303),
      responsiblePerson: 'Ines Moreau',
    });
    const page = await here.open('', { viewport: { width: 768, height: 1024 }, hasTouch: true });
    const card = task(page, 'late');
    await card.getByRole('button', { name: /^Complete \S+$/ }).waitFor();
    for (const words of [/^\w{3} \d{2}, \d{4}$/, /days overdue/, 'Ines Moreau']) {
      const text = card.getByText(words);
      expect(await linesOf(text)).toBe(1);
      expect(await isCut(text)).toBe(false);
    }
    const filters = page.getByRole('main').locator('select');
    expect(await filters.count()).toBeGreaterThan(4);
    expect(
      await filters.evaluateAll((all) => {
        const pen = document.createElement('canvas').getContext('2d');
        return all.flatMap((select) => {
          const { font, paddingLeft, paddingRight } = getComputedStyle(select);
          if (pen === null || !(select instanceof HTMLSelectElement)) return ['not measured'];
          pen.font = font;
          const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
          return [...select.options].flatMap(({ text }) =>
            pen.measureText(text).width > room ? [text] : [],
          );
        });
      }),
    ).toEqual([]);
  });

  /** Whether the end of a text is left out, or cut off by an element around it. */
  const isCut = (one: Locator) =>
    one.evaluate((element) => {
      const clip = element.closest('.truncate') ?? element;
      return clip.scrollWidth > clip.clientWidth;
    });
});

describe('at a desk', () => {
  test('the due date opens Schedule, by keyboard too, and what belongs together is on one line', async () => {
    const { tasks, today } = here;
    const late = await tasks.add('late', { frequency: 'biannually', lastDone: addDays(today, -303) });
    await tasks.add('by check', { check: 'alarm_test' });
    const page = await here.open();
    const row = task(page, 'late');
    await row.waitFor();
    expect(await page.locator('[data-task] input[type=date]').count()).toBe(0);
    for (const words of [/days overdue/, 'Biannually']) expect(await linesOf(row.getByText(words))).toBe(1);
    const checked = task(page, 'by check');
    const [check, menu] = [
      await boxOf(checked.getByRole('link', { name: 'Record check' })),
      await boxOf(checked.getByRole('button', { name: /^Actions for/ })),
    ];
    expect(Math.abs(check.y + check.height / 2 - menu.y - menu.height / 2)).toBeLessThan(4);

    const due = row.getByRole('button', { name: `Due ${formatDay(late.due)}: schedule` });
    await due.focus();
    await page.keyboard.press('Enter');
    const field = row.getByLabel(`New due date of ${late.taskNumber}`);
    await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true);
    await field.fill(addDays(today, 9));
    await page.keyboard.press('Enter');
    const moved = row.getByRole('button', { name: `Due ${formatDay(addDays(today, 9))}: schedule` });
    await expect.poll(() => moved.evaluate((it) => it === document.activeElement)).toBe(true);
    expect(await field.count()).toBe(0);
  });
});
