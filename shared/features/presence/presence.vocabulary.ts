import { LOG_KINDS } from '../checks/incidents.vocabulary.ts';
import { ISSUE_PARTS } from '../issues/issue-parts.vocabulary.ts';

/**
 * The kinds of subjects at which people can be present, and for each kind the parts of a subject that they can work on.
 * Other people receive only the name of the part from this list, never its content (rule T8).
 *
 * - `issue`: its details are open; a part is a field that has the focus.
 * - `check`: a building, at which a form of a check or incident is being filled in; the part is the form.
 * - `document`: its preview is open.
 */
export const PRESENCE_PARTS = {
  issue: ISSUE_PARTS,
  check: LOG_KINDS,
  document: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PresenceKind = keyof typeof PRESENCE_PARTS;
export type PartOf<Kind extends PresenceKind> = (typeof PRESENCE_PARTS)[Kind][number];
export type PresencePart = PartOf<PresenceKind>;

// The casts: Object.keys and Object.values lose the names.
export const PRESENCE_KINDS = Object.keys(PRESENCE_PARTS) as readonly PresenceKind[];
export const ALL_PRESENCE_PARTS = Object.values(PRESENCE_PARTS).flat() as readonly PresencePart[];
