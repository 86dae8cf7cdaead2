import { eq } from 'drizzle-orm';
import { storedFiles } from '#db/schema/files.ts';
import { type DocumentUpload, documentUploadInput } from '#shared/features/documents/documents.ts';
import { uuidv7 } from '#shared/ids.ts';
import { documentPurpose } from '../features/documents/document-purpose.ts';
import { reserveDocument } from '../features/documents/uploads.commands.ts';
import { SNIFF_BYTES, typeOf } from '../features/files/content-type.ts';
import { storeOf } from '../features/files/store-of.ts';
import { runCommand } from '../kernel/commands.ts';
import type { SignedInContext } from '../kernel/context.ts';

/** A file of the sample: its name, its media type and its bytes. */
export type SampleFile = { name: string; type: string; bytes: Buffer };

/**
 * Uploads a document of the sample, as a person would: it is reserved, its bytes become durable under their key, and then the
 * rows and the event are written. The bytes are stored first, so no row is ever without them. If the surrounding transaction
 * fails, the bytes have no row, and the sweep of files deletes them after a day (rule U11). They are not deleted here, because
 * the transaction may have committed although the answer was lost.
 */
export async function storeSampleFile(
  ctx: SignedInContext,
  input: Pick<DocumentUpload, 'buildingId' | 'place'> & Partial<DocumentUpload>,
  { name, type, bytes }: SampleFile,
): Promise<void> {
  const upload = documentUploadInput.parse({ uploadId: uuidv7(), lastModified: 0, ...input });
  const { id, key, store } = await reserveDocument(ctx, upload, { name, size: bytes.byteLength, type });
  const { storage } = storeOf(ctx.services, { store });
  const { sha256 } = await storage.put(key, pieces(bytes), { maxBytes: bytes.byteLength });
  const contentType = await typeOf(bytes.subarray(0, SNIFF_BYTES), type);
  await runCommand(ctx, documentPurpose.command, { operationId: id }, async (command) => {
    const [stored] = await command.tx
      .update(storedFiles)
      .set({ state: 'stored', sha256, contentType, receivedAt: command.now })
      .where(eq(storedFiles.id, id))
      .returning();
    if (stored === undefined) throw new Error('a row that was just inserted is gone');
    return documentPurpose.stored(command, stored);
  });
}

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
