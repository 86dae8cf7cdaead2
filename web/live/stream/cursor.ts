import type { LiveFrame, LivePosition } from '#shared/live/live.ts';

/**
 * The treatment of a frame (rule T1): `drop` if it is at or before the cursor; `gap` if frames before it are missing, so
 * that the client must subscribe again from the cursor; `reset` if the server cannot continue from the cursor.
 */
export type FrameVerdict = 'apply' | 'drop' | 'gap' | 'reset';

/** Classifies a frame. Pure. */
export function classifyFrame(
  cursor: LivePosition,
  position: LivePosition,
  frame: Pick<LiveFrame, 'prev' | 'reset'>,
): FrameVerdict {
  if (frame.reset !== undefined) return 'reset';
  // Events of another epoch without a reset: after a new subscription from the cursor the server sends the reset.
  if (position.epoch !== cursor.epoch) return 'gap';
  if (position.g <= cursor.g) return 'drop';
  return frame.prev > cursor.g ? 'gap' : 'apply';
}
