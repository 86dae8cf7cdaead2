import type { Queryable } from '#db/client.ts';
import {
  countRows,
  type ImportCheck,
  type ImportDone,
  type ImportKind,
  type PersonToken,
} from '#shared/features/imports/imports.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { LINK_LIFE_MS } from '../../accounts/account-links.ts';
import { mailLink } from '../../accounts/link-mail.ts';
import { runCommand } from '../../kernel/commands.ts';
import { mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import type { Services, SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { assertRoomToSave } from '../../kernel/disk-room.ts';
import type { FileColumns, FileRow } from './csv-worker.ts';
import { assetsImporter } from './import-assets.ts';
import { buildingsImporter } from './import-buildings.ts';
import { clientsImporter } from './import-clients.ts';
import { floorsImporter } from './import-floors.ts';
import { peopleImporter, renewLinks } from './import-people.ts';
import { type Importer, type PersonLink, type Progress, stalePlan } from './import-plan.ts';
import { tasksImporter } from './import-tasks.ts';
import { faultsInto } from './row-readers.ts';

/** After this many refused mails in a row, no more are sent. */
const REFUSED_MAX = 3;

// The casts: the plan of an importer is passed only to the same importer.
const IMPORTERS: Readonly<{ [kind in ImportKind]: Importer<unknown, unknown> }> = {
  clients: clientsImporter as Importer<unknown, unknown>,
  buildings: buildingsImporter as Importer<unknown, unknown>,
  floors: floorsImporter as Importer<unknown, unknown>,
  assets: assetsImporter as Importer<unknown, unknown>,
  tasks: tasksImporter as Importer<unknown, unknown>,
  people: peopleImporter as Importer<unknown, unknown>,
};

/**
 * Passes each row of a file on once, with the names of its columns.
 * @returns the file's hash
 */
export type ReadFile = (take: (row: FileRow, columns: FileColumns) => void) => Promise<string>;

/** Checks a file row by row, without storing anything. */
export async function checkImport(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  kind: ImportKind,
  file: ReadFile,
): Promise<ImportCheck> {
  const { read, columns } = await readAll(file);
  await resolve({ db, now: clock.now().toISOString() }, actor, kind, { read, columns });
  const rows = await mapYielding(read, ({ row: _row, ...shown }) => shown);
  return { kind, ...columns, rows, faulty: rows.filter(({ faults }) => faults.length > 0).length };
}

/**
 * Stores the rows of a file that are not here already in one transaction, all or nothing. The file is parsed before the
 * transaction; inside it, rows are looked up again and written in large parts.
 * @throws AppError `conflict` with a sentence if a row has become faulty
 */
export async function runImport(
  ctx: SignedInContext,
  kind: ImportKind,
  file: ReadFile,
  operationId: string,
  progress: (done: number, total: number) => void,
): Promise<ImportDone> {
  const { read, columns, sha256 } = await readAll(file);
  const input = { operationId, sha256 };
  // Kept apart from the answer, because the answer is stored and must not contain a secret.
  const beside: { links?: PersonLink[] | undefined } = {};
  try {
    const done = await runCommand(ctx, `imports.${kind}`, input, async (command) => {
      const plan = await resolve({ db: command.tx, now: command.now }, command.actor, kind, {
        read,
        columns,
      });
      if (read.some(({ faults }) => faults.length > 0)) throw stalePlan();
      const { added, ...skipped } = countRows(read);
      const tell: Progress = async (stored) => {
        await assertRoomToSave(ctx.services, `imports.${kind}`);
        progress(stored, added);
      };
      await tell(0);
      if (added > 0) beside.links = await IMPORTERS[kind].write(command, plan, tell);
      return added === read.length ? { count: added } : { count: added, skipped };
    });
    return await withLinks(ctx, done, beside.links);
  } catch (error) {
    // Another command has added the same since the lookup.
    if (isDuplicate(error)) throw stalePlan();
    throw error;
  }
}

/** Makes new links for people of a file who have not chosen a password yet. */
export async function runLinks(
  ctx: SignedInContext,
  file: ReadFile,
  operationId: string,
): Promise<ImportDone> {
  const emails = new Set<string>();
  const sha256 = await file(({ row }) => {
    if (row !== undefined && 'email' in row) emails.add(row.email);
  });
  const input = { operationId, sha256 };
  const beside: { links?: PersonLink[] } = {};
  const done = await runCommand(ctx, 'imports.links', input, async (command) => {
    beside.links = await renewLinks(command, [...emails]);
    return { count: beside.links.length };
  });
  return withLinks(ctx, done, beside.links);
}

/**
 * Mails the links if mail is configured; else returns them for the administrator's screen. A repeated import has no links.
 */
async function withLinks(
  { services, actor }: SignedInContext,
  done: ImportDone,
  made: readonly PersonLink[] | undefined,
): Promise<ImportDone> {
  if (made === undefined) return done;
  const expiresAt = new Date(services.clock.now().getTime() + LINK_LIFE_MS.invite).toISOString();
  const madeBy = `${actor.firstName} ${actor.lastName}`;
  const tokens: PersonToken[] = [];
  let mailed = 0;
  let refused = 0;
  for (const { email, firstName, lastName, token } of made) {
    // The mail server refuses everything; each further mail would only wait for its timeout.
    if (refused === REFUSED_MAX) break;
    const letter = { kind: 'invite' as const, email, firstName, token, expiresAt, madeBy };
    const became = await mailLink(services, letter);
    if (became === 'none') tokens.push({ email, name: `${firstName} ${lastName}`, token });
    if (became === 'sent') mailed += 1;
    refused = became === 'failed' ? refused + 1 : 0;
  }
  return { ...done, links: { mailed, tokens } };
}

type ReadRows = { read: FileRow[]; columns: FileColumns };

async function readAll(file: ReadFile): Promise<ReadRows & { sha256: string }> {
  const read: FileRow[] = [];
  let columns: FileColumns = { columns: [], passedOver: [] };
  const sha256 = await file((row, named) => {
    read.push(row);
    columns = named;
  });
  return { read, columns, sha256 };
}

async function resolve(
  { db, now }: { db: Queryable; now: string },
  actor: Actor,
  kind: ImportKind,
  { read, columns: { columns } }: ReadRows,
): Promise<unknown> {
  const rows = read.flatMap((each) => {
    const { row, line, faults } = each;
    if (row === undefined) return [];
    // Reset, because the row is looked up again in the transaction, perhaps with another result.
    each.skip = null;
    each.note = null;
    const here = () => {
      each.skip = 'here';
    };
    const note = (text: string) => {
      each.note = text;
    };
    return [{ row, line, fault: faultsInto(faults), here, note }];
  });
  return IMPORTERS[kind].resolve(db, actor, rows, { now, columns: new Set(columns) });
}
