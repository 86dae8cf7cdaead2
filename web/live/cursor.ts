import type { LiveFrame, LivePosition } from '#shared/live.ts';

/**
 * What to do with a frame (rule T1): 'drop' what is at or below the cursor, 'gap' where something before it was
 * missed and the stream must be asked again from the cursor, 'reset' where the server cannot continue from it.
 */
export type FrameVerdict = 'apply' | 'drop' | 'gap' | 'reset';

/** Pure. */
export function classifyFrame(
  cursor: LivePosition,
  position: LivePosition,
  frame: Pick<LiveFrame, 'prev' | 'reset'>,
): FrameVerdict {
  if (frame.reset !== undefined) return 'reset';
  // Events of another epoch without a reset: ask again from our own position, which brings the reset.
  if (position.epoch !== cursor.epoch) return 'gap';
  if (position.g <= cursor.g) return 'drop';
  return frame.prev > cursor.g ? 'gap' : 'apply';
}
