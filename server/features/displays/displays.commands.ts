import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { idList } from '#db/is-any-of.ts';
import { displayBuildings, displays } from '#db/schema/displays.ts';
import { BUILDINGS_REQUIRED, hasBuildings } from '#shared/buildings-choice.ts';
import { AppError } from '#shared/errors.ts';
import type {
  Display,
  DisplayInput,
  PairDisplayInput,
  PauseDisplayInput,
  ReplaceScreenInput,
  UpdateDisplayInput,
} from '#shared/features/displays/displays.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import type { Changes } from '#shared/live/live.ts';
import { lockBuildings } from '../../access/lock-buildings.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { countingWrongCodes, revokeScreen, useCode } from './codes.commands.ts';
import { findDisplay } from './displays.queries.ts';
import { mergeDisplay } from './merge-display.ts';

type Changed = { id: string; version: number };

/**
 * Pairs the screen that shows the code: creates its display. The screen fetches its credential itself.
 * @throws AppError `invalid` at the code, `rate_limited` after too many wrong ones, `not_found` for a building
 */
export function pairDisplay(ctx: SignedInContext, input: PairDisplayInput): Promise<Changed> {
  return withCode(ctx, 'displays.pair', input, async (command) => {
    const { tx, actor, now } = command;
    const { id, name, view, allBuildings, settings } = input;
    const shown = allBuildings ? [] : await lockBuildings(tx, input.buildingIds);
    const made = await tx
      .insert(displays)
      .values({ id, name, view, allBuildings, settings, createdAt: now, createdBy: actor.userId })
      .onConflictDoNothing()
      .returning({ id: displays.id });
    if (made.length === 0) throw new AppError('duplicate');
    await showBuildings(tx, id, shown);
    await useCode(tx, input.code, id, now);
    const display = await load(tx, id);
    await command.record({ op: 'put', entity: 'display', row: display, changes: null });
    return { id, version: display.version };
  });
}

/**
 * Changes a display; its screen shows the change within a second.
 * @throws AppError `conflict` if another person changed an edited field since, `not_found` for a building or a display
 *   that was unpaired
 */
export function updateDisplay(ctx: SignedInContext, input: UpdateDisplayInput): Promise<Changed> {
  return runCommand(ctx, 'displays.update', input, async (command) => {
    const { tx } = command;
    // Locks buildings before the display, in the order in which archiving locks them. Buildings that the display lists already
    // are not locked: those that have been archived stay listed, and are shown again when they are restored.
    const { from = [], to = [] } = input.changes.buildingIds ?? {};
    const listed = new Set(from);
    await lockBuildings(
      tx,
      to.filter((id) => !listed.has(id)),
    );
    return change(command, input.id, async (before) => {
      const { set, changes } = mergeDisplay(before, input.changes);
      const { buildingIds, ...columns } = set;
      const after = { ...before, ...set };
      if (!hasBuildings(after)) {
        const fields = { buildingIds: BUILDINGS_REQUIRED };
        throw new AppError('invalid', { message: BUILDINGS_REQUIRED, data: { fields } });
      }
      if (Object.keys(columns).length > 0) {
        await tx.update(displays).set(columns).where(eq(displays.id, before.id));
      }
      if (buildingIds !== undefined) {
        await tx.delete(displayBuildings).where(eq(displayBuildings.displayId, before.id));
        await showBuildings(tx, before.id, buildingIds);
      }
      return Object.keys(set).length === 0 ? null : changes;
    });
  });
}

/** Adds buildings to a display's list, in one parameter for any number of them. */
async function showBuildings(tx: Transaction, displayId: string, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into ${displayBuildings} (display_id, building_id)
    select ${displayId}::uuid, id from unnest(string_to_array(${idList(ids)}, ',')::uuid[]) id`);
}

/** Gives a display the screen that shows the code. Its previous screen loses access; everything else stays. */
export function replaceScreen(ctx: SignedInContext, input: ReplaceScreenInput): Promise<Changed> {
  return withCode(ctx, 'displays.replace', input, (command) =>
    change(command, input.id, async ({ id }) => {
      const { tx, now } = command;
      await revokeScreen(tx, id);
      await useCode(tx, input.code, id, now);
      await command.recordSessionsEnded(id, 'all');
      return { replacedAt: [null, now] };
    }),
  );
}

/** Stops the rotation of a display's screens, or continues it. */
export function pauseDisplay(ctx: SignedInContext, input: PauseDisplayInput): Promise<Changed> {
  return runCommand(ctx, 'displays.pause', input, (command) =>
    change(command, input.id, async ({ id, pausedAt }) => {
      if ((pausedAt !== null) === input.paused) return null;
      const to = input.paused ? command.now : null;
      await command.tx.update(displays).set({ pausedAt: to }).where(eq(displays.id, id));
      return { pausedAt: [pausedAt, to] };
    }),
  );
}

/** Asks a display to load its page again. */
export function reloadDisplay(ctx: SignedInContext, input: DisplayInput): Promise<Changed> {
  return runCommand(ctx, 'displays.reload', input, (command) =>
    change(command, input.id, async ({ id, reloadAskedAt }) => {
      await command.tx.update(displays).set({ reloadAskedAt: command.now }).where(eq(displays.id, id));
      return { reloadAskedAt: [reloadAskedAt, command.now] };
    }),
  );
}

/** Ends a display: its credential is invalid from the commit on, and its screen goes blank within a second. */
export function unpairDisplay(ctx: SignedInContext, input: DisplayInput): Promise<Changed> {
  return runCommand(ctx, 'displays.unpair', input, (command) =>
    change(command, input.id, async ({ id }) => {
      const { tx, now } = command;
      await revokeScreen(tx, id);
      await tx.update(displays).set({ unpairedAt: now }).where(eq(displays.id, id));
      return { unpairedAt: [null, now] };
    }),
  );
}

/** Runs a command that takes a code; wrong codes are counted. */
function withCode<Input extends { operationId: string; code: string }, Result>(
  ctx: SignedInContext,
  procedure: string,
  input: Input,
  work: (command: Command) => Promise<Result>,
): Promise<Result> {
  return countingWrongCodes(ctx, () => runCommand(ctx, procedure, input, work));
}

/**
 * Changes a paired display under its lock, raises its version, and records the events for administrators and for the
 * display itself (rule D3).
 * @param work makes the change and returns it; null for no change, which records nothing
 */
async function change(
  command: Command,
  id: string,
  work: (before: Display) => Promise<Changes | null>,
): Promise<Changed> {
  const { tx } = command;
  const paired = and(eq(displays.id, id), isNull(displays.unpairedAt));
  const [locked] = await tx.select({ id: displays.id }).from(displays).where(paired).for('update');
  if (locked === undefined) throw new AppError('not_found', { message: displayMessages.gone });
  const before = await load(tx, id);
  const changes = await work(before);
  if (changes === null) return { id, version: before.version };
  await tx
    .update(displays)
    .set({ version: sql`${displays.version} + 1` })
    .where(eq(displays.id, id));
  const after = await load(tx, id);
  await command.record({ op: 'put', entity: 'display', row: after, changes });
  await command.recordAccess({ people: { [id]: after.version }, lost: [], gained: [], lists: 'left_out' });
  return { id, version: after.version };
}

async function load(tx: Transaction, id: string): Promise<Display> {
  const display = await findDisplay(tx, id);
  if (display === undefined) throw new Error('a locked row is gone');
  return display;
}
