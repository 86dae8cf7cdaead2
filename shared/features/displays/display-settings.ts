// The settings of a display on a wall. This file does not load the validation library, because the display loads the file.

/**
 * The screens, in the order of their rotation: what needs attention now, the checks of each building, and the compliance
 * tasks of each building.
 */
export const WALL_SCREENS = ['now', 'today', 'week'] as const;
export type WallScreen = (typeof WALL_SCREENS)[number];
/** The clockwise rotation of the mounted panel, in degrees. The page is rotated back by the same angle. */
export const TURNS = [0, 90, 180, 270] as const;
export type Turn = (typeof TURNS)[number];

export type DisplaySettings = {
  screens: WallScreen[];
  /** Seconds for which each screen, and each page of it, is shown. */
  seconds: number;
  turn: Turn;
  /** The part of each side that the panel cuts off, in per cent. */
  overscan: number;
  /** The distance from which people read it, in metres. */
  distance: number;
  /** The hours of the organisation's day between which the display is dimmed; null if never. */
  dim: { from: number; to: number } | null;
  /** Plays two tones for a new critical issue, and every two minutes until it has a response. Never while dimmed. */
  chime: boolean;
};

/** The bounds of the settings that are numbers. */
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
