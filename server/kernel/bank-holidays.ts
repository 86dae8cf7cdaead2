import { addDays, weekdayOf } from '#shared/dates.ts';

export type BankHoliday = { day: string; name: string };

const MONDAY = 1;
const SATURDAY = 6;
const SUNDAY = 7;

/**
 * Returns the bank holidays of England and Wales in a year by the standing rules, with substitute days for those that
 * fall on a weekend. A holiday proclaimed for a single year has to be added to the table by hand.
 */
export function bankHolidays(year: number): BankHoliday[] {
  const easter = easterSunday(year);
  return [
    shifted(`${year}-01-01`, 'New Year’s Day'),
    { day: addDays(easter, -2), name: 'Good Friday' },
    { day: addDays(easter, 1), name: 'Easter Monday' },
    { day: firstMonday(`${year}-05-01`), name: 'Early May bank holiday' },
    { day: lastMonday(`${year}-05-31`), name: 'Spring bank holiday' },
    { day: lastMonday(`${year}-08-31`), name: 'Summer bank holiday' },
    ...christmas(year),
  ];
}

function shifted(day: string, name: string): BankHoliday {
  const weekday = weekdayOf(day);
  if (weekday < SATURDAY) return { day, name };
  return { day: addDays(day, weekday === SATURDAY ? 2 : 1), name: substitute(name) };
}

/** Christmas and Boxing Day are adjacent, so each substitute is the first weekday that is not already one of them. */
function christmas(year: number): BankHoliday[] {
  const first = `${year}-12-25`;
  const second = `${year}-12-26`;
  const [christmasDay, boxingDay] = ['Christmas Day', 'Boxing Day'];
  switch (weekdayOf(first)) {
    case SATURDAY:
      return [
        { day: `${year}-12-27`, name: substitute(christmasDay) },
        { day: `${year}-12-28`, name: substitute(boxingDay) },
      ];
    case SUNDAY:
      return [
        { day: second, name: boxingDay },
        { day: `${year}-12-27`, name: substitute(christmasDay) },
      ];
    default:
      return [
        { day: first, name: christmasDay },
        weekdayOf(second) === SATURDAY
          ? { day: `${year}-12-28`, name: substitute(boxingDay) }
          : { day: second, name: boxingDay },
      ];
  }
}

function substitute(name: string): string {
  return `${name} (substitute day)`;
}

function firstMonday(day: string): string {
  return addDays(day, (7 + MONDAY - weekdayOf(day)) % 7);
}

function lastMonday(day: string): string {
  return addDays(day, MONDAY - weekdayOf(day));
}

/** Easter Sunday by the anonymous Gregorian computus. */
function easterSunday(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  const day = (h + l - 7 * m + 33 * month + 19) % 32;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
