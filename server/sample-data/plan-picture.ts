import type { Picture } from './picture-formats.ts';

// Colours of a picture: red, green, blue.
const [INK, PAPER, RED, GREEN, YELLOW] = [0b000, 0b111, 0b100, 0b010, 0b110];
const [WIDTH, HEIGHT, WALL] = [960, 640, 8];
/** The outer walls, and the corridor between the rooms. */
const OUTSIDE = { left: 60, top: 60, right: 900, bottom: 580 };
const CORRIDOR = { top: 284, bottom: 356 };

/**
 * Draws the plan of a floor: rooms on both sides of a corridor, doors, stairs at its ends, the way out in green and the
 * extinguishers in red.
 * @param rooms the relative width of each room in the two rows, from left to right
 */
export function floorPlan(rooms: readonly [upper: readonly number[], lower: readonly number[]]): Picture {
  const pixels = new Uint8Array(WIDTH * HEIGHT).fill(PAPER);
  const fill = (x: number, y: number, width: number, height: number, colour: number) => {
    for (let row = y; row < y + height; row += 1)
      pixels.fill(colour, row * WIDTH + x, row * WIDTH + x + width);
  };
  const { left, top, right, bottom } = OUTSIDE;
  fill(left, top, right - left, bottom - top, INK);
  fill(left + WALL, top + WALL, right - left - 2 * WALL, bottom - top - 2 * WALL, PAPER);
  fill(left, CORRIDOR.top, right - left, WALL, INK);
  fill(left, CORRIDOR.bottom - WALL, right - left, WALL, INK);
  for (const [row, shares] of rooms.entries()) {
    const [from, to] = row === 0 ? [top, CORRIDOR.top] : [CORRIDOR.bottom - WALL, bottom];
    const whole = shares.reduce((sum, share) => sum + share, 0);
    let x = left;
    for (const [index, share] of shares.entries()) {
      const width = Math.round(((right - left) * share) / whole);
      if (index > 0) fill(x, from, WALL, to - from, INK);
      // The door, with a threshold.
      const door = x + Math.round(width / 2) - 24;
      fill(door, row === 0 ? CORRIDOR.top : CORRIDOR.bottom - WALL, 48, WALL, YELLOW);
      x += width;
    }
  }
  for (const x of [left + 16, right - 88]) {
    for (let step = 0; step < 6; step += 1) fill(x + step * 12, CORRIDOR.top + 12, 4, 48, INK);
  }
  const middle = (CORRIDOR.top + CORRIDOR.bottom) / 2;
  fill(left + 100, middle - 4, right - left - 200, 8, GREEN);
  for (const [x, way] of [
    [left + 100, 1],
    [right - 100, -1],
  ] as const) {
    for (let at = 0; at < 20; at += 1) fill(x + way * at, middle - at, 4, 2 * at + 1, GREEN);
  }
  for (const x of [left + 180, right - 220]) fill(x, CORRIDOR.top + WALL, 16, 16, RED);
  return { width: WIDTH, height: HEIGHT, pixels };
}
