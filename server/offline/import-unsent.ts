import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { appliedOperations } from '#db/schema/live.ts';
import { AppError } from '#shared/errors.ts';
import { type AnnouncePhotoInput, announcePhotoInput } from '#shared/features/photos/photos.ts';
import { timeOfUuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { importMessages } from '#shared/offline/import-messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import type { UnsentImported } from '#shared/offline/unsent-file.ts';
import { type OfflineCommand, offlineCommands } from '#shared/offline.ts';
import type { Permission } from '#shared/permissions.ts';
import { fullName } from '#shared/text/names.ts';
import { type Actor, rightsOf } from '../access/actor.ts';
import { findPerson } from '../access/people.ts';
import { StorageError } from '../adapters/storage/storage.ts';
import { withErrorListener } from '../adapters/with-error-listener.ts';
import type { Receiver } from '../features/files/receive.ts';
import { announcePhoto } from '../features/photos/photos.commands.ts';
import type { SignedInContext } from '../kernel/context.ts';
import type { ReadAttachment, ReadEntry } from './read-unsent.ts';
import { RUN_OFFLINE } from './run-offline.ts';
import type { ReadUnsent } from './unsent-reader.ts';

const words = offlineMessages;
/**
 * The stored answer of an operation: the id of the created row, and for a completion also the id of its line, to which the
 * photos belong.
 */
const receiptSchema = z.object({ id: z.uuid(), completionId: z.uuid().optional() });
type Receipt = z.infer<typeof receiptSchema>;

/**
 * Stores the records of a phone's file, each in the name of the person who made it and marked as imported. Operations
 * that are stored already, by an earlier import or by the phone itself, are left as they are.
 * @param ctx the administrator's context
 * @param file the file's records, read one by one
 * @param receiver stores the photos
 */
export async function importUnsent(
  ctx: SignedInContext,
  { personId, entries }: ReadUnsent,
  receiver: Receiver,
): Promise<UnsentImported> {
  const person = await findPerson(ctx.services.db, personId);
  if (person === undefined) {
    throw new AppError('invalid', { message: importMessages.filePerson, data: { fields: {} } });
  }
  const actor: Actor = {
    userId: person.id,
    email: person.email,
    firstName: person.firstName,
    lastName: person.lastName,
    ...rightsOf(person.id, person.role ?? undefined),
    accessVersion: person.version,
    // The administrator's session, because the person's phone is not connected.
    sessionId: ctx.actor.sessionId,
    sessionExpiresAt: ctx.actor.sessionExpiresAt,
  };
  const imported = { by: ctx.actor.userId, byName: fullName(ctx.actor) };
  const theirs: SignedInContext = { ...ctx, actor, imported };
  const done: UnsentImported = {
    personName: fullName(person),
    imported: 0,
    known: 0,
    refused: [],
  };
  for await (const entry of entries) await importEntry(theirs, entry, receiver, done);
  ctx.services.log.info(
    { importedBy: ctx.actor.userId, madeBy: person.id, imported: done.imported, known: done.known },
    'unsent records were imported from a file',
  );
  return done;
}

async function importEntry(
  ctx: SignedInContext,
  entry: ReadEntry,
  receiver: Receiver,
  done: UnsentImported,
): Promise<void> {
  const refuse = (error: unknown, title = entry.title) => {
    done.refused.push({ title, reason: reasonOf(error) });
  };
  let receipt: Receipt;
  try {
    const stored = await storeEntry(ctx, entry);
    receipt = stored.receipt;
    if (stored.known) done.known += 1;
    else done.imported += 1;
  } catch (error) {
    return refuse(error);
  }
  for (const [n, attachment] of entry.attachments.entries()) {
    try {
      await storeAttachment(ctx, receiver, placeOf(entry.command, receipt), attachment);
    } catch (error) {
      refuse(error, `${entry.title}, photo ${n + 1}`);
    }
  }
}

async function storeEntry(
  ctx: SignedInContext,
  entry: ReadEntry,
): Promise<{ receipt: Receipt; known: boolean }> {
  const { command, input } = entry;
  if (!isKnown(command)) throw new AppError('unsupported', { message: importMessages.commandUnknown });
  const before = await resultOf(ctx, entry.id);
  if (before !== undefined) return { receipt: before, known: true };
  // Only the photos are left in the file: the phone already has the receipt.
  const receipt = receiptSchema.safeParse(entry.receipt).data;
  if (input === null && receipt !== undefined) return { receipt, known: true };
  assertPermitted(command, ctx.actor);
  const whole = { ...(input as object | null), operationId: entry.id, ...clockOf(command, ctx) };
  const parsed = offlineCommands[command].parse(whole);
  // The cast: schema and command have the same name, which the types of a table of functions cannot express.
  const run = RUN_OFFLINE[command] as (ctx: SignedInContext, input: unknown) => Promise<{ id: string }>;
  return { receipt: receiptSchema.parse(await run(ctx, parsed)), known: false };
}

/** The permission that a person needs for a command from a file, and the sentence of the refusal without it. */
const NEEDS: {
  readonly [C in OfflineCommand]: { permission: Permission; refusal(name: string): string } | null;
} = {
  'issues.create': { permission: 'create_building_issues', refusal: importMessages.mayNotReport },
  'tasks.create': { permission: 'create_tasks', refusal: importMessages.mayNotAddTasks },
  'tasks.update': { permission: 'edit_tasks', refusal: importMessages.mayNotEditTasks },
  'tasks.complete': { permission: 'edit_tasks', refusal: importMessages.mayNotEditTasks },
  // A visit of a person without the permission is held (decision 81); photos are checked with the row to which they belong.
  'checks.record': null,
  'photos.announce': null,
};

/** Refuses a command that the person may not run; it stays in the file. */
function assertPermitted(command: OfflineCommand, actor: Actor): void {
  const needed = NEEDS[command];
  if (needed === null || actor.permissions.includes(needed.permission)) return;
  throw new AppError('forbidden', { message: needed.refusal(fullName(actor)) });
}

/**
 * A file does not contain the device's time at sending, so the server's time is used instead, as if the device's clock
 * were right.
 */
function clockOf(command: OfflineCommand, { services }: SignedInContext): { deviceNow?: string } {
  return command === 'checks.record' ? { deviceNow: services.clock.now().toISOString() } : {};
}

/**
 * Returns the stored answer of an operation of this person, or undefined if it was not applied.
 * @throws AppError `not_found` for another person's operation
 */
async function resultOf(
  { services, actor }: SignedInContext,
  operationId: string,
): Promise<Receipt | undefined> {
  const [row] = await services.db
    .select({ userId: appliedOperations.userId, result: appliedOperations.result })
    .from(appliedOperations)
    .where(eq(appliedOperations.id, operationId));
  if (row === undefined || row.result === null) return undefined;
  if (row.userId !== actor.userId) throw new AppError('not_found');
  return receiptSchema.parse(JSON.parse(row.result));
}

async function storeAttachment(
  ctx: SignedInContext,
  receiver: Receiver,
  place: AnnouncePhotoInput['of'],
  attachment: ReadAttachment,
): Promise<void> {
  const { id, sha256, contentType, bytes: sent } = attachment;
  if (sent === null) throw changed();
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
  const { width, height, thumbnail, of } = Object(attachment.about) as Record<string, unknown>; // Parsed below.
  const announced = announcePhotoInput.parse({
    width,
    height,
    thumbnail,
    takenAt: new Date(timeOfUuidv7(id)).toISOString(),
    operationId: randomUUID(),
    id,
    sha256,
    contentType,
    bytes: bytes.byteLength,
    of: of ?? place,
  });
  const { received, stored } = await announcePhoto(ctx, announced);
  if (stored) return;
  const rest = withErrorListener(Readable.from([bytes.subarray(received)]));
  try {
    await receiver.receive(ctx, id.toLowerCase(), received, rest, async () => ctx);
  } catch (error) {
    // Either the phone sends the photo at the same moment, or the disk is full. The file may be imported again.
    throw error instanceof StorageError ? new AppError('busy', { cause: error }) : error;
  }
}

/** The row to which a command's photos belong. */
function placeOf(command: string, { id, completionId }: Receipt): AnnouncePhotoInput['of'] {
  if (completionId !== undefined) return { completionId };
  return command === 'checks.record' ? { visitId: id } : { issueId: id };
}

function changed(): AppError {
  return new AppError('invalid', { message: importMessages.photoChanged, data: { fields: {} } });
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return [...new Set(error.issues.map(({ message }) => message))].join(' ');
  if (!(error instanceof AppError)) throw error;
  if (error.message !== error.code) return error.message;
  return error.code === 'not_found' ? messages.common.notFound : words.refused;
}

function isKnown(command: string): command is OfflineCommand {
  return Object.hasOwn(offlineCommands, command);
}
