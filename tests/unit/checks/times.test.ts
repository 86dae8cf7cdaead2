import { describe, expect, test } from 'vitest';
import { isClockWrong, resolveTimes } from '#server/features/checks/schedule/check-times.ts';

// The server's time throughout is 10:00 on Wednesday 18 November 2026. Each record was made an hour before it arrived.
const MIN = 60_000;
const HOUR = 60 * MIN;
const LONDON = 'Europe/London';
const RECEIVED = Date.parse('2026-11-18T10:00:00.000Z');
const MADE = RECEIVED - HOUR;
const iso = (ms: number) => new Date(ms).toISOString();

type Device = {
  /** The lead of its clock when the record was made, when it was sent, and at the last contact before that. */
  making: number;
  sending: number;
  contact?: number;
  /** The time of the last contact, or that time continued by the page's monotonic clock until the record was made. */
  notBefore?: number;
  ageMs?: number;
};

/** @param visitDate the day that was chosen; absent for the day that the form offers as today */
function sent({ making, sending, contact, notBefore, ageMs }: Device, visitDate?: string, zone = LONDON) {
  const performedAt = iso(MADE + making);
  return resolveTimes(
    {
      visitDate: visitDate ?? iso(MADE + making - (contact ?? 0)).slice(0, 10),
      performedAt,
      deviceNow: iso(RECEIVED + sending),
      ...(contact === undefined
        ? {}
        : { clock: { offsetMs: contact, notBefore: iso(notBefore ?? MADE - 2 * HOUR) } }),
      ...(ageMs === undefined ? {} : { ageMs }),
    },
    iso(RECEIVED),
    zone,
  );
}

describe('a clock that corrects itself before sending', () => {
  test.each<[string, Device]>([
    ['−3 h with the page open', { making: -3 * HOUR, sending: 0, contact: -3 * HOUR, notBefore: MADE }],
    ['−3 h since the page was opened', { making: -3 * HOUR, sending: 0, contact: 0, notBefore: MADE }],
    ['−3 h, known from before a restart', { making: -3 * HOUR, sending: 0, contact: -3 * HOUR }],
    ['−26 h, known from before a restart', { making: -26 * HOUR, sending: 0, contact: -26 * HOUR }],
    ['+3 h, known from before a restart', { making: 3 * HOUR, sending: 0, contact: 3 * HOUR }],
    ['+26 h, known from before a restart', { making: 26 * HOUR, sending: 0, contact: 26 * HOUR }],
    ['+3 h in the page that sends it', { making: 3 * HOUR, sending: 0, contact: 0, ageMs: HOUR }],
    ['+26 h in the page that sends it', { making: 26 * HOUR, sending: 0, contact: 0, ageMs: HOUR }],
    ['+1 y in the page that sends it', { making: 8760 * HOUR, sending: 0, contact: 0, ageMs: HOUR }],
    ['−26 h, set right before the record was made', { making: 0, sending: 0, contact: -26 * HOUR }],
  ])('%s: the record stands in its time, marked', (_what, device) => {
    const moments = sent(device);
    expect(moments.performedAt).toBe(iso(MADE));
    expect(moments.visitDate).toBe('2026-11-18');
    expect(isClockWrong(moments.clockOffsetMs)).toBe(true);
    expect(moments.late).toBe(false);
  });

  test.each<[string, Device, number]>([
    // The time between contact and receipt is unknown: the nearest certain moment counts.
    ['−26 h, set back since the contact', { making: -26 * HOUR, sending: 0, contact: 0 }, MADE - 2 * HOUR],
    ['+26 h, set forward since the contact', { making: 26 * HOUR, sending: 0, contact: 0 }, RECEIVED],
    ['+26 h, of an older phone', { making: 26 * HOUR, sending: 0 }, RECEIVED],
    ['+1 y, of an older phone', { making: 8760 * HOUR, sending: 0 }, RECEIVED],
  ])('%s: it is not refused, stands within what is certain, and is marked', (_what, device, performed) => {
    const moments = sent(device);
    expect(moments.performedAt).toBe(iso(performed));
    expect(moments.visitDate).toBe('2026-11-18');
    expect(isClockWrong(moments.clockOffsetMs)).toBe(true);
  });
});

describe('a clock that is wrong when it sends', () => {
  test('and was at the contact before, puts right what it said', () => {
    const device = { making: 3 * HOUR, sending: 3 * HOUR, contact: 3 * HOUR };
    expect(sent(device)).toMatchObject({ performedAt: iso(MADE), clockOffsetMs: 3 * HOUR });
  });

  test('leaves the day that was chosen, also where it is the day that the device believes in', () => {
    const device = { making: -48 * HOUR, sending: -48 * HOUR, contact: -48 * HOUR };
    expect(sent(device)).toMatchObject({ visitDate: '2026-11-18', performedAt: iso(MADE) });
    expect(sent(device, '2026-11-16')).toMatchObject({ visitDate: '2026-11-16', performedAt: iso(MADE) });
  });

  test('but was right when the record was made, leaves it where it was', () => {
    const device = { making: 0, sending: -3 * HOUR, contact: 0, notBefore: MADE, ageMs: HOUR };
    const moments = sent(device);
    expect(moments.performedAt).toBe(iso(MADE));
    expect(isClockWrong(moments.clockOffsetMs)).toBe(true);
  });
});

describe('a clock that is right', () => {
  test.each<[string, Device]>([
    ['of an older phone', { making: 0, sending: 0 }],
    ['within some minutes', { making: 4 * MIN, sending: 4 * MIN, contact: -4 * MIN }],
    [
      'of a device that slept',
      { making: 0, sending: 0, contact: 0, notBefore: MADE - 48 * HOUR, ageMs: MIN },
    ],
  ])('%s is believed, and not marked', (_what, device) => {
    const moments = sent(device);
    expect(Math.abs(Date.parse(moments.performedAt) - MADE)).toBeLessThan(5 * MIN);
    expect(isClockWrong(moments.clockOffsetMs)).toBe(false);
  });

  test('refuses a day ahead that was chosen by hand, and not one by which its clock is minutes early', () => {
    expect(() => sent({ making: 0, sending: 0 }, '2026-11-19')).toThrow();
    const midnight = Date.parse('2026-11-18T23:58:00.000Z');
    const early = {
      visitDate: '2026-11-19',
      performedAt: iso(midnight + 4 * MIN),
      deviceNow: iso(midnight + 4 * MIN),
    };
    expect(resolveTimes(early, iso(midnight), LONDON)).toMatchObject({ visitDate: '2026-11-18' });
  });
});

describe('the days of the organisation', () => {
  const sharp: Device = { making: 0, sending: 0 };

  test('begin at its own midnight: on the Line Islands it is the next day already', () => {
    // Sent at 00:00 on Thursday, about a check at 23:00 on Wednesday.
    const moments = sent(sharp, '2026-11-18', 'Pacific/Kiritimati');
    expect(moments).toMatchObject({ visitDate: '2026-11-18', late: false });
    expect(sent(sharp, '2026-11-19', 'Pacific/Kiritimati').visitDate).toBe('2026-11-19');
  });

  test('and in Los Angeles the day after is not yet one', () => {
    expect(() => sent(sharp, '2026-11-19', 'America/Los_Angeles')).toThrow();
    // Sent at 02:00 on Wednesday, about Tuesday.
    expect(sent(sharp, '2026-11-17', 'America/Los_Angeles')).toMatchObject({
      visitDate: '2026-11-17',
      late: true,
    });
  });
});
