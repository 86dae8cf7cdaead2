/** The state of a held record: waiting, or decided by an administrator. */
export const HELD_STATES = ['held', 'accepted', 'refused'] as const;
export type HeldState = (typeof HELD_STATES)[number];

export const HELD_STATE_LABELS: Readonly<Record<HeldState, string>> = {
  held: 'Held',
  accepted: 'Accepted',
  refused: 'Refused',
};
