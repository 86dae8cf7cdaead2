import { uuidv7 } from '#shared/ids.ts';
import type { NewCommand } from '../types.ts';
import type { Bytes, NewCommandRow } from './queue-store.ts';

/**
 * The row of a new command, and the bytes of its attachments. The bytes are read before the transaction that stores them,
 * because awaiting anything other than its own requests would end the transaction.
 */
export async function commandRowOf(
  newCommand: NewCommand,
  userId: string,
  now: number,
): Promise<{ record: NewCommandRow; bytes: Bytes[] }> {
  const { id = uuidv7(now), command, input, form = null, title, attachments = [] } = newCommand;
  const bytes = await Promise.all(
    attachments.map(async (one) => ({ id: one.id, bytes: await one.blob.arrayBuffer() })),
  );
  const ofAttachments = bytes.reduce((sum, one) => sum + one.bytes.byteLength, 0);
  const record: NewCommandRow = {
    id,
    userId,
    command,
    input,
    form,
    title,
    createdAt: new Date(now).toISOString(),
    state: 'saved',
    attempts: 0,
    faults: 0,
    lastError: null,
    receipt: null,
    receivedAt: null,
    attachments: attachments.map((one, index) => ({
      id: one.id,
      sha256: one.sha256,
      contentType: one.blob.type,
      bytes: bytes[index]?.bytes.byteLength ?? 0,
      about: one.about ?? null,
      state: 'saved',
      lastError: null,
      faults: 0,
    })),
    bytes: new TextEncoder().encode(JSON.stringify(input)).length + ofAttachments,
  };
  return { record, bytes };
}
