import type { DisplaySettings } from '#shared/features/displays/display-settings.ts';

/**
 * The height of the smallest text that people must be able to read, on a panel of 1,080 lines read from 5 m (W14 of the
 * design), in px.
 */
const TEXT_PX = 44;
const LINES = 1_080;
const DISTANCE = 5;
/** The bounds within which the text is scaled for a nearer or further reader, so that enough fits on the panel. */
const SCALE = { min: 0.6, max: 2 };

/**
 * The minimum room in rem: the width for the words of a row, and the height for two rows below the head. Text that would
 * need more is reduced.
 */
const LEAST = { width: 20, height: 14.6 };

/** The sizes of the stylesheet, in rem. */
const PADDING = 2;
const TOP = 3.2;
const ABOVE_LIST = 2.4 + 0.6;
const ROW = 2.9;
const FIGURES_WIDE = 13.6;
const FIGURES_HIGH = 7.6;
const TILE = { width: 13, height: 4.1 };
/** The strip of the year, with the space below it. */
const STRIP = 4.5;
/** The strip is left out if fewer rows of buildings than this fit below it. */
const ROWS_BELOW_STRIP = 2;
/** The minimum width of the strip at which the names of months fit, in rem. */
const MONTH_NAMES_WIDE = 30;
/** The height of the band in landscape and in portrait, in rem. In portrait it may have two lines. */
const BAND = { lying: 2.4, standing: 3.6 };

/** The amount of content that fits on the panel. */
export type Layout = {
  isPortrait: boolean;
  /** There is no room for the figures beside or above the list. */
  isBare: boolean;
  /** Issues on a page. */
  rows: number;
  /** Buildings on a page. */
  columns: number;
  tileRows: number;
  tiles: number;
  /** Rows of buildings on a page of Week, below the strip of the year. */
  weekRows: number;
  hasStrip: boolean;
  /** There is room for the names of months, not only for their first letters. */
  hasMonthNames: boolean;
};

type Look = Pick<DisplaySettings, 'turn' | 'overscan' | 'distance'>;

/**
 * Turns and sizes the page for its panel.
 * @param look the display's settings; undefined before the display is paired
 * @param hasBand whether a band takes some of the height
 */
export function layOut(root: HTMLElement, look: Look | undefined, hasBand: boolean): Layout {
  const { turn = 0, overscan = 0, distance = DISTANCE } = look ?? {};
  const { innerWidth, innerHeight } = window;
  const isTurned = turn === 90 || turn === 270;
  const width = isTurned ? innerHeight : innerWidth;
  const height = isTurned ? innerWidth : innerHeight;
  const scale = Math.min(SCALE.max, Math.max(SCALE.min, distance / DISTANCE));
  const cut = 1 - overscan / 50;
  const wanted = (Math.min(width, height) / LINES) * TEXT_PX * scale;
  const rem = Math.max(8, Math.min(wanted, (width * cut) / LEAST.width, (height * cut) / LEAST.height));
  document.documentElement.style.fontSize = `${rem}px`;
  root.style.width = `${width}px`;
  root.style.height = `${height}px`;
  root.style.transform = `${turned(turn, innerWidth, innerHeight)}${drift()}`;
  root.style.padding = `${(height * overscan) / 100}px ${(width * overscan) / 100}px`;
  const wide = (width * cut) / rem - PADDING;
  const isPortrait = height > width;
  const band = hasBand ? BAND[isPortrait ? 'standing' : 'lying'] : 0;
  const high = (height * cut) / rem - PADDING - TOP - 0.6 - band;
  const isBare = isPortrait ? high < 22 || wide < 20 : wide < FIGURES_WIDE + 20 || high < 13;
  const listHeight = high - (isPortrait && !isBare ? FIGURES_HIGH : 0) - ABOVE_LIST;
  const columns = Math.max(1, Math.floor((wide + 0.5) / (TILE.width + 0.5)));
  const rowsIn = (rem: number) => Math.max(1, Math.floor((rem - 2 + 0.5) / TILE.height));
  const tileRows = rowsIn(high);
  const hasStrip = rowsIn(high - STRIP) >= ROWS_BELOW_STRIP;
  return {
    isPortrait,
    isBare,
    rows: Math.max(1, Math.floor(listHeight / ROW)),
    columns,
    tileRows,
    tiles: columns * tileRows,
    weekRows: hasStrip ? rowsIn(high - STRIP) : tileRows,
    hasStrip,
    hasMonthNames: wide >= MONTH_NAMES_WIDE,
  };
}

function turned(turn: number, width: number, height: number): string {
  if (turn === 90) return `translate(${width}px,0) rotate(90deg)`;
  if (turn === 180) return `translate(${width}px,${height}px) rotate(180deg)`;
  if (turn === 270) return `translate(0,${height}px) rotate(270deg)`;
  return '';
}

/** Moves the picture by a few pixels every minute, so that nothing burns in. */
function drift(): string {
  const minute = Math.floor(performance.now() / 60_000) % 16;
  const away = (step: number) => (step < 8 ? step - 4 : 12 - step);
  return ` translate(${away(minute)}px,${away((minute + 4) % 16)}px)`;
}
