import { describe, expect, test } from 'vitest';
import { codePrefix } from '#shared/features/locations/building-code.ts';
import { floorLabel, floorLevels, highestFirst, ordinal } from '#shared/features/locations/floors.ts';

describe('a floor', () => {
  test.each([
    [-3, 'Basement 3'],
    [-2, 'Basement 2'],
    [-1, 'Basement'],
    [0, 'Ground Floor'],
    [1, '1st Floor'],
    [2, '2nd Floor'],
    [3, '3rd Floor'],
    [4, '4th Floor'],
    [11, '11th Floor'],
    [12, '12th Floor'],
    [13, '13th Floor'],
    [21, '21st Floor'],
    [22, '22nd Floor'],
    [23, '23rd Floor'],
    [99, '99th Floor'],
  ])('at level %i is called %s', (level, label) => {
    expect(floorLabel(level)).toBe(label);
  });

  test('above the hundredth has the right ending too', () => {
    expect([101, 111, 112, 113, 121].map(ordinal)).toEqual(['101st', '111th', '112th', '113th', '121st']);
  });

  test('is counted from the ground, and from the basement where there is one', () => {
    expect(floorLevels(3, false)).toEqual([0, 1, 2]);
    expect(floorLevels(3, true)).toEqual([-1, 0, 1, 2]);
    expect(floorLevels(0, true)).toEqual([-1]);
    expect(floorLevels(0, false)).toEqual([]);
    expect(floorLevels(100, false)).toHaveLength(100);
  });

  test('stands above those below it in a list', () => {
    const levels = [0, 2, -1, 1].map((level) => ({ level }));
    expect(levels.sort(highestFirst).map(({ level }) => level)).toEqual([2, 1, 0, -1]);
  });
});

describe("a building's code", () => {
  test.each([
    ['Harbour House', 'HAR'],
    ['Élan Court', 'ELA'],
    ['1 Old Street', 'OLD'],
    ['St. 4', 'ST'],
    ['42', 'BLD'],
    ['東京', 'BLD'],
  ])('of %s begins with %s', (name, prefix) => {
    expect(codePrefix(name)).toBe(prefix);
  });
});
