import { createHash } from 'node:crypto';
import type { Queryable } from '#db/client.ts';
import {
  IMPORTS,
  type ImportCheck,
  type ImportDone,
  type ImportFault,
  type ImportKind,
  type PersonToken,
} from '#shared/features/imports.words.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { runCommand } from '../../commands.ts';
import type { Actor, SignedInContext } from '../../context.ts';
import { isDuplicate } from '../../database-errors.ts';
import { requireRoomToSave } from '../../save-room.ts';
import { LINK_LIFE_MS } from '../../setup/account-links.ts';
import { mailLink } from '../../setup/link-mail.ts';
import { assetsImporter } from './import-assets.ts';
import { buildingsImporter } from './import-buildings.ts';
import { clientsImporter } from './import-clients.ts';
import { floorsImporter } from './import-floors.ts';
import { peopleImporter, remakeLinks } from './import-people.ts';
import { type Importer, outdated, type PersonLink, type Progress } from './import-plan.ts';
import { type Record, readRecords } from './read-csv.ts';
import { eachInTurn, mapInTurn } from './take-turns.ts';

/** Longer cells are shown shortened: the file has them whole. */
const SHOWN = 254;
const HASH_AT_ONCE = 256 * 1024;
/** Mails in a row that nobody took. */
const REFUSED_MAX = 3;

// Each importer gets from itself alone what it gives to itself.
const IMPORTERS: Readonly<{ [kind in ImportKind]: Importer<unknown, unknown> }> = {
  clients: clientsImporter as Importer<unknown, unknown>,
  buildings: buildingsImporter as Importer<unknown, unknown>,
  floors: floorsImporter as Importer<unknown, unknown>,
  assets: assetsImporter as Importer<unknown, unknown>,
  people: peopleImporter as Importer<unknown, unknown>,
};

type Read = { record: Record; row: unknown; faults: ImportFault[] };

/** What a file would do, row by row, without doing it. */
export async function checkImport(
  db: Queryable,
  actor: Actor,
  kind: ImportKind,
  bytes: Uint8Array,
): Promise<ImportCheck> {
  const read = await readAll(kind, bytes);
  await resolve(db, actor, kind, read);
  const columns = IMPORTS[kind].columns.map(({ name }) => name).filter((name) => inFile(read, name));
  const rows = await mapInTurn(read, ({ record, faults }) => ({
    line: record.line,
    cells: columns.map((name) => (record.cells[name] ?? '').slice(0, SHOWN)),
    faults,
  }));
  return { kind, columns, rows, faulty: rows.filter(({ faults }) => faults.length > 0).length };
}

/**
 * Stores a whole file in one transaction, or nothing of it. The rows are read beforehand; inside, they are only looked
 * up once more and written in large parts.
 * @throws AppError `conflict` with a sentence where a row has a fault by now
 */
export async function runImport(
  ctx: SignedInContext,
  kind: ImportKind,
  bytes: Uint8Array,
  operationId: string,
  progress: (done: number, total: number) => void,
): Promise<ImportDone> {
  const read = await readAll(kind, bytes);
  const input = { operationId, sha256: await hashOf(bytes) };
  const tell: Progress = async (done) => {
    await requireRoomToSave(ctx.services, `imports.${kind}`);
    progress(done, read.length);
  };
  // Beside the answer, which is kept and must hold no secret.
  const beside: { links?: PersonLink[] | undefined } = {};
  try {
    const done = await runCommand(ctx, `imports.${kind}`, input, async (command) => {
      const plan = await resolve(command.tx, command.actor, kind, read);
      if (read.some(({ faults }) => faults.length > 0)) throw outdated();
      await tell(0);
      beside.links = await IMPORTERS[kind].write(command, plan, tell);
      return { count: read.length };
    });
    return await withLinks(ctx, done, beside.links);
  } catch (error) {
    // Somebody added the same at this very moment.
    if (isDuplicate(error)) throw outdated();
    throw error;
  }
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  const starts = Array.from({ length: Math.ceil(bytes.length / HASH_AT_ONCE) }, (_, n) => n * HASH_AT_ONCE);
  await eachInTurn(starts, (at) => hash.update(bytes.subarray(at, at + HASH_AT_ONCE)));
  return hash.digest('hex');
}

/** New links for the people of a file, as far as they have not chosen a password. */
export async function runLinks(
  ctx: SignedInContext,
  bytes: Uint8Array,
  operationId: string,
): Promise<ImportDone> {
  const read = await readRecords('people', bytes);
  const emails = [...new Set(read.map(({ cells }) => (cells['Email'] ?? '').trim().toLowerCase()))];
  const input = { operationId, sha256: await hashOf(bytes) };
  const beside: { links?: PersonLink[] } = {};
  const done = await runCommand(ctx, 'imports.links', input, async (command) => {
    beside.links = await remakeLinks(command, emails);
    return { count: beside.links.length };
  });
  return withLinks(ctx, done, beside.links);
}

/**
 * Sends everybody their link where mail is set; shows them to the administrator where it is not. Of an import that was
 * done before there are none.
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
    // Nobody takes them now: the others would be waited for in vain.
    if (refused === REFUSED_MAX) break;
    const letter = { kind: 'invite' as const, email, firstName, token, expiresAt, madeBy };
    const became = await mailLink(services, letter);
    if (became === 'none') tokens.push({ email, name: `${firstName} ${lastName}`, token });
    if (became === 'sent') mailed += 1;
    refused = became === 'failed' ? refused + 1 : 0;
  }
  return { ...done, links: { mailed, tokens } };
}

async function readAll(kind: ImportKind, bytes: Uint8Array): Promise<Read[]> {
  return mapInTurn(await readRecords(kind, bytes), (record) => {
    const faults: ImportFault[] = [];
    if (record.tooMany) faults.push({ column: null, text: importMessages.cellsTooMany });
    return { record, row: IMPORTERS[kind].read(record, faultsInto(faults)), faults };
  });
}

async function resolve(
  db: Queryable,
  actor: Actor,
  kind: ImportKind,
  read: readonly Read[],
): Promise<unknown> {
  const rows = read.flatMap(({ record, row, faults }) =>
    row === undefined ? [] : [{ row, line: record.line, fault: faultsInto(faults) }],
  );
  return IMPORTERS[kind].resolve(db, actor, rows);
}

function faultsInto(faults: ImportFault[]): (column: string | null, text: string) => void {
  return (column, text) => {
    // One sentence per cell is enough to act on.
    if (!faults.some((fault) => fault.column === column)) faults.push({ column, text });
  };
}

function inFile(read: readonly Read[], column: string): boolean {
  return read[0] !== undefined && Object.hasOwn(read[0].record.cells, column);
}
