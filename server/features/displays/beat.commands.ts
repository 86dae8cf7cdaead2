import { displayBeats } from '#db/schema/displays.ts';
import type { Beat } from '#shared/features/displays.ts';
import { parsePosition } from '#shared/live.ts';
import type { DisplayContext } from '../../kernel/context.ts';

/**
 * Stores what a display tells of itself: which page of which version paints which position. No event is recorded,
 * because it changes nothing that anybody could ask for later.
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
