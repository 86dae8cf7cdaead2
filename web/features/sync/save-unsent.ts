import type { Me } from '#shared/features/users/session.ts';
import {
  UNSENT_FORMAT,
  UNSENT_VERSION,
  type UnsentAttachment,
  type UnsentContent,
  type UnsentEntry,
  type UnsentFile,
} from '#shared/offline/unsent-file.ts';
import { saveTextFile } from '../../lib/save-text-file.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { presentTime } from '../../lib/time/present-time.ts';
import type { QueueStore } from '../../offline/queue/queue-store.ts';
import type { QueuedCommandRow } from '../../offline/queue/queued-command-row.ts';

/** Owner of the records. The server identifies the person by the id; the name is for people who read the file. */
type Owner = Pick<Me, 'id' | 'firstName' | 'lastName'>;

/**
 * Builds a file with all unsent records of a person, for an administrator to import. The records also stay on this
 * device.
 */
export async function unsentFile(
  items: QueueStore,
  person: Owner,
  now: Date = new Date(presentTime()),
): Promise<{ file: UnsentFile; count: number }> {
  const entries: UnsentEntry[] = [];
  for (const record of await items.list(person.id)) {
    if (record.phase !== 'done') entries.push(await entryOf(items, record));
  }
  const whole: UnsentContent = {
    personId: person.id,
    personName: `${person.firstName} ${person.lastName}`.trim(),
    exportedAt: now.toISOString(),
    entries,
  };
  const content = JSON.stringify(whole);
  const sha256 = await sha256Of(new TextEncoder().encode(content).buffer);
  return { file: { format: UNSENT_FORMAT, version: UNSENT_VERSION, sha256, content }, count: entries.length };
}

/**
 * Saves the file as a download.
 * @returns the number of records in it
 */
export async function saveUnsent(items: QueueStore, person: Owner): Promise<number> {
  const now = new Date(presentTime());
  const { file, count } = await unsentFile(items, person, now);
  const name = `lintel-unsent-${now.toISOString().slice(0, 16).replace(/[T:]/g, '-')}.json`;
  saveTextFile(name, 'application/json', JSON.stringify(file));
  return count;
}

async function entryOf(items: QueueStore, record: QueuedCommandRow): Promise<UnsentEntry> {
  const attachments: UnsentAttachment[] = [];
  for (const { id, sha256, contentType, about, state } of record.attachments) {
    if (state === 'received') continue;
    const bytes = await items.bytesOf(id);
    attachments.push({ id, sha256, contentType, about, data: bytes === undefined ? null : toBase64(bytes) });
  }
  const { id, command, input, receipt, title, createdAt } = record;
  return { id, command, input, receipt, title, createdAt, attachments };
}

/** Converts in chunks: a call with a million arguments would overflow the stack. */
function toBase64(bytes: ArrayBuffer): string {
  const all = new Uint8Array(bytes);
  let text = '';
  for (let at = 0; at < all.length; at += 0x8000)
    text += String.fromCharCode(...all.subarray(at, at + 0x8000));
  return btoa(text);
}
