import { z } from 'zod';
import { buildingsChoiceFields, requireBuildings } from '../../buildings-choice.ts';
import { fromTo } from '../../changed-field.ts';
import { messages } from '../../messages.ts';
import { nameText } from '../../text/text.ts';
import { VIEWS, type View } from '../../views.ts';
import { DISPLAY_BOUNDS, type DisplaySettings, TURNS, WALL_SCREENS } from './display-settings.ts';
import {
  CODE_LENGTH,
  CODE_LETTERS,
  codeIn,
  DISPLAY_BUILDINGS_MAX,
  DISPLAY_NAME_MAX,
} from './displays.vocabulary.ts';
import { displayMessages } from './displays-messages.ts';
import type { WallIssue, WallPlace, WallPulse } from './wall.ts';

const SIDE_MAX = 100_000;

const nameSchema = nameText()
  .min(1, displayMessages.nameRequired)
  .max(DISPLAY_NAME_MAX, messages.common.tooLong(DISPLAY_NAME_MAX));
const viewSchema = z.enum(VIEWS);
const buildingsChoice = buildingsChoiceFields(DISPLAY_BUILDINGS_MAX);
const buildingIdsSchema = buildingsChoice.buildingIds;
const hourSchema = z.number().int().min(0).max(23);
function bounded({ min, max }: { min: number; max: number }) {
  const sentence = displayMessages.between(min, max);
  return z.number(sentence).min(min, sentence).max(max, sentence);
}

/** See `DisplaySettings` for units. */
const settingsSchema = z.strictObject({
  screens: z
    .array(z.enum(WALL_SCREENS))
    .min(1, displayMessages.screensRequired)
    .max(WALL_SCREENS.length)
    .refine((screens) => new Set(screens).size === screens.length),
  seconds: bounded(DISPLAY_BOUNDS.seconds).int(),
  turn: z.literal(TURNS),
  overscan: bounded(DISPLAY_BOUNDS.overscan),
  distance: bounded(DISPLAY_BOUNDS.distance),
  dim: z.strictObject({ from: hourSchema, to: hourSchema }).nullable(),
  chime: z.boolean(),
});
const screenSize = {
  /** The size of the screen, in CSS pixels. */
  width: z.number().int().min(0).max(SIDE_MAX),
  height: z.number().int().min(0).max(SIDE_MAX),
};

/** A display as administrators see it. Times are ISO. */
export const displaySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  view: viewSchema,
  ...buildingsChoice,
  settings: settingsSchema,
  createdAt: z.string(),
  pausedAt: z.string().nullable(),
  reloadAskedAt: z.string().nullable(),
  unpairedAt: z.string().nullable(),
  version: z.number().int(),
});
export type Display = z.infer<typeof displaySchema>;

const codeSchema = z
  .string()
  .max(40)
  .transform(codeIn)
  .refine(
    (code) => code.length === CODE_LENGTH && [...code].every((letter) => CODE_LETTERS.includes(letter)),
    displayMessages.codeShort,
  );

/** Input of `displays.requestCode`, which a screen calls before it is paired. */
export const requestCodeInput = z.strictObject(screenSize);
/** Input of `displays.claim`: the secret that came with the code. */
export const claimInput = z.strictObject({ claim: z.string().max(64) });
/** `paired`: the answer carries the credential as a cookie. `expired`: ask for a new code. */
export type Claimed = { state: 'waiting' | 'paired' | 'expired' };

/** Input of `displays.lookUp`. */
export const lookUpInput = z.strictObject({ code: codeSchema });
/** The screen that shows a code, for the administrator to compare. */
export type FoundScreen = {
  address: string;
  userAgent: string;
  width: number;
  height: number;
  requestedAt: string;
};

const newDisplaySchema = z.strictObject({
  id: z.uuid(),
  code: codeSchema,
  name: nameSchema,
  view: viewSchema,
  ...buildingsChoice,
  settings: settingsSchema,
});

/** Input of `displays.pair` without the operation id, for the form. */
export const newDisplayInput = newDisplaySchema.superRefine(requireBuildings);
/** Input of `displays.pair`. */
export const pairDisplayInput = newDisplaySchema
  .extend({ operationId: z.uuid() })
  .superRefine(requireBuildings);
export type PairDisplayInput = z.infer<typeof pairDisplayInput>;

/** Input of `displays.update`: each changed field with the value that the person saw and the new value. */
export const updateDisplayInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  changes: z
    .strictObject({
      name: fromTo(nameSchema, z.string().max(DISPLAY_NAME_MAX)),
      view: fromTo(viewSchema, viewSchema),
      allBuildings: fromTo(z.boolean(), z.boolean()),
      buildingIds: fromTo(buildingIdsSchema, buildingIdsSchema),
      settings: fromTo(settingsSchema, settingsSchema),
    })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, messages.common.nothingChanged),
});
export type UpdateDisplayInput = z.infer<typeof updateDisplayInput>;

/** Input of `displays.replace`: the code of the new screen. */
export const replaceScreenInput = z.strictObject({ operationId: z.uuid(), id: z.uuid(), code: codeSchema });
export type ReplaceScreenInput = z.infer<typeof replaceScreenInput>;
/** Input of `displays.pause`; with `paused` false the display resumes. */
export const pauseDisplayInput = z.strictObject({ operationId: z.uuid(), id: z.uuid(), paused: z.boolean() });
export type PauseDisplayInput = z.infer<typeof pauseDisplayInput>;
/** Input of `displays.reload` and `displays.unpair`. */
export const displayInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type DisplayInput = z.infer<typeof displayInput>;

/** Input of `displays.beat`: what a display reports about itself while it paints. */
export const beatInput = z.strictObject({
  /** The stream position up to which the display has painted, as in frames; empty before the first frame. */
  position: z.string().max(64),
  /** The version of its page. */
  build: z.string().max(64),
  ...screenSize,
});
export type Beat = z.infer<typeof beatInput>;

/** The last beat of a display, by the server's clock. */
export type FleetRow = {
  displayId: string;
  /** ISO. */
  seenAt: string;
  g: number;
  build: string;
  width: number;
  height: number;
  address: string;
};
/** The answer of `displays.fleet`. `head` is the newest position, `at` the server's time. */
export type Fleet = { at: string; head: number; rows: FleetRow[] };

/** All data that a display shows, narrowed to its view. `displays.wall` sends it in the form of `WallAnswer`. */
export type Wall = {
  /** ISO, by the server's clock: ages are counted from it. */
  at: string;
  timeZone: string;
  organisation: string;
  display: {
    name: string;
    view: View;
    settings: DisplaySettings;
    paused: boolean;
    /** ISO; the page loads itself again when it changes. */
    reloadAskedAt: string | null;
    version: number;
  };
  places: WallPlace[];
  /** The figures of these buildings. */
  pulses: WallPulse[];
  /**
   * `rows`: the most urgent issues, in order (`compareUrgent`). `critical`, `high`: the numbers of all urgent issues.
   * `unanswered`: the number of critical issues that nobody has answered (`isUnanswered`). `newest`: the newest unanswered
   * issue, only if `rows` is incomplete, because `rows` has the issues with the least time left, and a new issue has the most.
   */
  issues: {
    rows: WallIssue[];
    critical: number;
    high: number;
    unanswered: number;
    newest: WallIssue | null;
  };
};
