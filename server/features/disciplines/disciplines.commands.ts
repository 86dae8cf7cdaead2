import { and, eq, ne, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { disciplines } from '#db/schema/accounts.ts';
import { AppError } from '#shared/errors.ts';
import type {
  AddDisciplineInput,
  Discipline,
  RemoveDisciplineInput,
  RenameDisciplineInput,
} from '#shared/features/disciplines/disciplines.ts';
import { disciplineMessages } from '#shared/features/disciplines/disciplines-messages.ts';
import { LIST_BOUNDS } from '#shared/list-bounds.ts';
import type { Changes } from '#shared/live/live.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';
import { disciplineColumns } from './disciplines.queries.ts';

const DISCIPLINES_MAX = LIST_BOUNDS['documents.disciplines.list'];

type Changed = { id: string; version: number };

/**
 * Adds a discipline. If a discipline with this name was deleted before, it is restored, with the documents that still
 * have it (ruling S15).
 */
export function addDiscipline(ctx: SignedInContext, input: AddDisciplineInput): Promise<Changed> {
  return runCommand(ctx, 'documents.disciplines.add', input, async (command) => {
    const { tx, now } = command;
    // Two concurrent commands could both add the last discipline that the limit allows.
    await tx.execute(sql`lock table ${disciplines} in share row exclusive mode`);
    // Inserts nothing if the name or the id is taken.
    const [made] = await tx
      .insert(disciplines)
      .values({ id: input.id, name: input.name, createdAt: now })
      .onConflictDoNothing()
      .returning(disciplineColumns);
    if (made !== undefined) {
      await assertFew(tx);
      return tell(command, made, null);
    }
    const [held] = await tx
      .select(disciplineColumns)
      .from(disciplines)
      .where(sql`${disciplines.nameKey} collate "C" = ${nameKey(input.name)}`)
      .for('update');
    // The id is taken by a discipline with another name.
    if (held === undefined) throw new AppError('duplicate');
    if (held.isActive) throw duplicate();
    const row = await change(tx, held, { name: input.name, isActive: true });
    await assertFew(tx);
    return tell(command, row, { isActive: [false, true], name: [held.name, row.name] });
  });
}

/** @throws AppError `invalid` if more disciplines are in use than the limit allows */
async function assertFew(tx: Transaction): Promise<void> {
  if ((await tx.$count(disciplines, eq(disciplines.isActive, true))) <= DISCIPLINES_MAX) return;
  const message = disciplineMessages.tooMany(DISCIPLINES_MAX);
  throw new AppError('invalid', { data: { fields: { name: message } }, message });
}

/**
 * Renames a discipline.
 * @throws AppError `conflict` if its name is no longer the one that the person saw
 */
export function renameDiscipline(ctx: SignedInContext, input: RenameDisciplineInput): Promise<Changed> {
  return runCommand(ctx, 'documents.disciplines.rename', input, async (command) => {
    const { tx } = command;
    const held = await lockActive(tx, input.id);
    const { name } = mergeEdit({ name: held.name }, held.version, { name: input.name });
    if (name === undefined) return { id: held.id, version: held.version };
    const [other] = await tx
      .select({ isActive: disciplines.isActive })
      .from(disciplines)
      .where(and(sql`${disciplines.nameKey} collate "C" = ${nameKey(name)}`, ne(disciplines.id, held.id)));
    if (other !== undefined) {
      throw other.isActive
        ? duplicate()
        : new AppError('duplicate', { message: disciplineMessages.duplicateDeleted });
    }
    try {
      const row = await change(tx, held, { name });
      return await tell(command, row, { name: [held.name, name] });
    } catch (error) {
      // Another command has taken the name since the check above.
      if (isDuplicate(error, 'disciplines_name_key')) throw duplicate();
      throw error;
    }
  });
}

/** Takes a discipline out of use. Its documents keep it. */
export function removeDiscipline(ctx: SignedInContext, input: RemoveDisciplineInput): Promise<Changed> {
  return runCommand(ctx, 'documents.disciplines.remove', input, async (command) => {
    const held = await lockActive(command.tx, input.id);
    const row = await change(command.tx, held, { isActive: false });
    return tell(command, row, { isActive: [true, false] });
  });
}

function duplicate(): AppError {
  return new AppError('duplicate', { message: disciplineMessages.duplicate });
}

async function lockActive(tx: Transaction, id: string): Promise<Discipline> {
  const [held] = await tx
    .select(disciplineColumns)
    .from(disciplines)
    .where(eq(disciplines.id, id))
    .for('update');
  if (held === undefined || !held.isActive) {
    throw new AppError('not_found', { message: disciplineMessages.gone });
  }
  return held;
}

async function change(
  tx: Transaction,
  held: Discipline,
  values: Partial<Pick<Discipline, 'name' | 'isActive'>>,
): Promise<Discipline> {
  const [row] = await tx
    .update(disciplines)
    .set({ ...values, version: held.version + 1 })
    .where(eq(disciplines.id, held.id))
    .returning(disciplineColumns);
  if (row === undefined) throw new Error('a locked row is gone');
  return row;
}

async function tell({ record }: Command, row: Discipline, changes: Changes | null): Promise<Changed> {
  await record({ entity: 'discipline', op: 'put', row, changes });
  return { id: row.id, version: row.version };
}
