// The settings of a display on a wall. Without the validation library: the display loads it.

/**
 * The screens, in the order of their rotation: what needs attention now, the checks of each building, and the compliance
 * tasks of each building.
 */
export const WALL_SCREENS = ['now', 'today', 'week'] as const;
export type WallScreen = (typeof WALL_SCREENS)[number];
/** How far the panel is turned, clockwise, in degrees: the page turns back by as much. */
export const TURNS = [0, 90, 180, 270] as const;
export type Turn = (typeof TURNS)[number];

export type DisplaySettings = {
  screens: WallScreen[];
  /** Seconds for which each screen, and each page of it, is shown. */
  seconds: number;
  turn: Turn;
  /** Per cent of each side that the panel cuts off. */
  overscan: number;
  /** Metres from which it is read. */
  distance: number;
  /** Hours of the organisation's day between which it is dimmed; null if never. */
  dim: { from: number; to: number } | null;
  /** Two tones for a new critical issue, again every two minutes until the issue is responded to, and never while dimmed. */
  chime: boolean;
};

/** The bounds of the numbers among them. */
export const DISPLAY_BOUNDS = {
  seconds: { min: 5, max: 600 },
  overscan: { min: 0, max: 10 },
  distance: { min: 1, max: 30 },
} as const;

export const DEFAULT_DISPLAY_SETTINGS: DisplaySettings = {
  screens: [...WALL_SCREENS],
  seconds: 20,
  turn: 0,
  overscan: 0,
  distance: 5,
  dim: null,
  chime: false,
};
