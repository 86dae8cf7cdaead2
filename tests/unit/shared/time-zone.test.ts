import { expect, test } from 'vitest';
import { codeOf, sourceFiles, textOf } from '#tests/support/code/imports.ts';

// The organisation's time zone is a setting. A page gets it with the session. Code of the server has no global time zone,
// so each of its calls passes the zone that it has read.

/** Functions of `shared/dates.ts` with the position of their time zone. */
const ZONED: Readonly<Record<string, number>> = {
  dayOf: 1,
  formatDate: 1,
  formatDateTime: 1,
  formatTime: 1,
  formatWeekdayDate: 1,
  formatWeekdayTime: 1,
  startOfDay: 1,
  endOfDay: 1,
  instantOf: 2,
};

/** Files with texts for pages only, which know their organisation's zone, and the name under which a photo is saved. */
const EXCEPT = [
  'shared/dates.ts',
  'server/features/photos/photo-row.ts',
  'shared/features/checks/held-messages.ts',
  'shared/features/checks/imported-messages.ts',
];
/** The file with the default zone, which is the first value of the setting. */
const DEFAULT = 'shared/dates.ts';

const files = ['server', 'shared', 'db'].flatMap(sourceFiles);

test('the server names the zone of each day and time', () => {
  const silent = files.filter((path) => !EXCEPT.includes(path)).flatMap((path) => callsWithoutZone(path));
  expect(silent).toEqual([]);
  expect(callsWithoutZone('x.ts', 'dayOf(now); dayOf(now, zone); instantOf(day, time)')).toEqual([
    'x.ts dayOf',
    'x.ts instantOf',
  ]);
});

test('no zone is written into the code but the default', () => {
  const written = files.filter(
    (path) => path !== DEFAULT && /['"`](Europe|America|Asia)\/\w+/.test(textOf(path)),
  );
  expect(written).toEqual([]);
});

function callsWithoutZone(path: string, text = textOf(path)): string[] {
  const code = codeOf(text);
  return [...code.matchAll(/(?<!function |\.)\b(\w+)\(/g)].flatMap(({ 0: opened, 1: name = '', index }) => {
    const at = Object.hasOwn(ZONED, name) ? ZONED[name] : undefined;
    return at === undefined || countArguments(code, index + opened.length) > at ? [] : [`${path} ${name}`];
  });
}

/** Counts the arguments of a call whose parenthesis has just been opened. */
function countArguments(code: string, from: number): number {
  let depth = 0;
  let count = 1;
  for (let at = from; at < code.length; at += 1) {
    const sign = code.charAt(at);
    if (')]}'.includes(sign) && depth === 0) return count;
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    else if (sign === ',' && depth === 0) count += 1;
  }
  throw new Error('a call without an end');
}
