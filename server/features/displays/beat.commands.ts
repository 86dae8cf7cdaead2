import { displayBeats } from '#db/schema/displays.ts';
import type { Beat } from '#shared/features/displays/displays.ts';
import { parsePosition } from '#shared/live/live.ts';
import type { DisplayContext } from '../../kernel/context.ts';

/**
 * Stores the beat of a display: its time, the build of the page, the position that the page shows, and the size of the screen.
 * Records no event, because a beat is not part of the history.
 */
export async function storeBeat(ctx: DisplayContext, beat: Beat): Promise<{ version: number }> {
  const { services, display, address } = ctx;
  const told = {
    seenAt: services.clock.now().toISOString(),
    g: parsePosition(beat.position)?.g ?? 0,
    build: beat.build,
    width: beat.width,
    height: beat.height,
    address,
  };
  await services.db
    .insert(displayBeats)
    .values({ displayId: display.displayId, ...told })
    .onConflictDoUpdate({ target: displayBeats.displayId, set: told });
  return { version: display.version };
}
