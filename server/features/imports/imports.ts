import type { Queryable } from '#db/client.ts';
import type {
  ImportCheck,
  ImportDone,
  ImportKind,
  PersonToken,
} from '#shared/features/imports.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { LINK_LIFE_MS } from '../../accounts/account-links.ts';
import { mailLink } from '../../accounts/link-mail.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { Services, SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { assertRoomToSave } from '../../kernel/disk-room.ts';
import { mapYielding } from '../../kernel/yield-to-event-loop.ts';
import type { FileRow } from './csv-worker.ts';
import { assetsImporter } from './import-assets.ts';
import { buildingsImporter } from './import-buildings.ts';
import { clientsImporter } from './import-clients.ts';
import { floorsImporter } from './import-floors.ts';
import { peopleImporter, remakeLinks } from './import-people.ts';
import { type Importer, type PersonLink, type Progress, stalePlan } from './import-plan.ts';
import { tasksImporter } from './import-tasks.ts';
import { faultsInto } from './row-readers.ts';

/** Refused mails in a row after which no more are sent. */
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
export type ReadFile = (take: (row: FileRow, columns: readonly string[]) => void) => Promise<string>;

/** Checks a file row by row, without storing anything. */
export async function checkImport(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  kind: ImportKind,
  file: ReadFile,
): Promise<ImportCheck> {
  const { read, columns } = await readAll(file);
  await resolve({ db, now: clock.now().toISOString() }, actor, kind, read);
  const rows = await mapYielding(read, ({ line, cells, faults }) => ({ line, cells, faults }));
  return { kind, columns: [...columns], rows, faulty: rows.filter(({ faults }) => faults.length > 0).length };
}

/**
 * Stores a whole file in one transaction, or nothing. The file is parsed before; inside, rows are looked up once more
 * and written in large parts.
 * @throws AppError `conflict` with a sentence if a row has become faulty
 */
export async function runImport(
  ctx: SignedInContext,
  kind: ImportKind,
  file: ReadFile,
  operationId: string,
  progress: (done: number, total: number) => void,
): Promise<ImportDone> {
  const { read, sha256 } = await readAll(file);
  const input = { operationId, sha256 };
  const tell: Progress = async (done) => {
    await assertRoomToSave(ctx.services, `imports.${kind}`);
    progress(done, read.length);
  };
  // Kept apart from the answer, which is stored and must hold no secret.
  const beside: { links?: PersonLink[] | undefined } = {};
  try {
    const done = await runCommand(ctx, `imports.${kind}`, input, async (command) => {
      const plan = await resolve({ db: command.tx, now: command.now }, command.actor, kind, read);
      if (read.some(({ faults }) => faults.length > 0)) throw stalePlan();
      await tell(0);
      beside.links = await IMPORTERS[kind].write(command, plan, tell);
      return { count: read.length };
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
    beside.links = await remakeLinks(command, [...emails]);
    return { count: beside.links.length };
  });
  return withLinks(ctx, done, beside.links);
}

/**
 * Mails the links if mail is configured; else returns them for the administrator's screen. A repeated import has none.
 */
async function withLinks(
  { services, actor }: SignedInContext,
  done: { count: number },
  made: readonly PersonLink[] | undefined,
): Promise<ImportDone> {
  if (made === undefined) return done;
  const expiresAt = new Date(services.clock.now().getTime() + LINK_LIFE_MS.invite).toISOString();
  const madeBy = `${actor.firstName} ${actor.lastName}`;
  const tokens: PersonToken[] = [];
  let mailed = 0;
  let refused = 0;
  for (const { email, firstName, lastName, token } of made) {
    // The mail server is refusing; each further mail would only cost its timeout.
    if (refused === REFUSED_MAX) break;
    const letter = { kind: 'invite' as const, email, firstName, token, expiresAt, madeBy };
    const became = await mailLink(services, letter);
    if (became === 'none') tokens.push({ email, name: `${firstName} ${lastName}`, token });
    if (became === 'sent') mailed += 1;
    refused = became === 'failed' ? refused + 1 : 0;
  }
  return { ...done, links: { mailed, tokens } };
}

async function readAll(
  file: ReadFile,
): Promise<{ read: FileRow[]; columns: readonly string[]; sha256: string }> {
  const read: FileRow[] = [];
  let columns: readonly string[] = [];
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
  read: readonly FileRow[],
): Promise<unknown> {
  const rows = read.flatMap(({ line, row, faults }) =>
    row === undefined ? [] : [{ row, line, fault: faultsInto(faults) }],
  );
  return IMPORTERS[kind].resolve(db, actor, rows, now);
}
