import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import { importMessages } from '#shared/offline/import-messages.ts';
import {
  UNSENT_FORMAT,
  UNSENT_VERSION,
  type UnsentAttachment,
  type UnsentContent,
  type UnsentEntry,
} from '#shared/offline/unsent-file.ts';

const ENTRIES_MAX = 10_000;
const ATTACHMENTS_MAX = 200;

/** Four times what a phone could send. A limit, because the main thread receives each record in one go. */
const JSON_MAX = 1024 * 1024;

/** Any JSON value that is not too large. */
function smallJson() {
  return z.unknown().refine((value) => (JSON.stringify(value) ?? '').length <= JSON_MAX);
}

const fileSchema = z.object({
  format: z.literal(UNSENT_FORMAT),
  version: z.number().int().min(1),
  sha256: z.string(),
  content: z.string(),
});
const contentSchema: z.ZodType<UnsentContent> = z.strictObject({
  personId: z.uuid(),
  personName: z.string().max(200),
  exportedAt: z.iso.datetime(),
  entries: z
    .array(
      z.strictObject({
        id: z.uuid(),
        command: z.string().max(100),
        input: smallJson(),
        receipt: smallJson(),
        title: z.string().max(500),
        createdAt: z.iso.datetime(),
        attachments: z
          .array(
            z.strictObject({
              id: z.uuid(),
              sha256: z.string().regex(/^[0-9a-f]{64}$/),
              contentType: z.string().max(100),
              about: smallJson(),
              data: z.base64().nullable(),
            }),
          )
          .max(ATTACHMENTS_MAX),
      }),
    )
    .max(ENTRIES_MAX),
});

/** A record in the form that the importer accepts. */
export type ReadEntry = Omit<UnsentEntry, 'attachments'> & { attachments: ReadAttachment[] };
/** `bytes` is null if the bytes are missing or do not match the hash. */
export type ReadAttachment = Omit<UnsentAttachment, 'data'> & { bytes: Uint8Array<ArrayBuffer> | null };

/** Decodes the photos of a record. */
export function readEntry({ attachments, ...entry }: UnsentEntry): ReadEntry {
  return {
    ...entry,
    attachments: attachments.map(({ data, ...about }) => ({ ...about, bytes: bytesOf(data, about) })),
  };
}

function bytesOf(data: string | null, { sha256 }: { sha256: string }): Uint8Array<ArrayBuffer> | null {
  if (data === null) return null;
  // In a separate buffer, which is transferred to another thread.
  const decoded = Buffer.from(data, 'base64');
  const bytes = new Uint8Array(decoded.byteLength);
  bytes.set(decoded);
  return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : null;
}

/**
 * Reads a file saved by a phone.
 * @throws AppError `invalid` with a sentence if it is no such file, of a newer version, or changed since
 */
export function readUnsent(bytes: Uint8Array): UnsentContent {
  const file = fileSchema.safeParse(jsonIn(decode(bytes))).data;
  if (file === undefined) throw refused(importMessages.fileUnknown);
  if (file.version > UNSENT_VERSION) throw refused(importMessages.fileNewer);
  if (createHash('sha256').update(file.content).digest('hex') !== file.sha256)
    throw refused(importMessages.fileChanged);
  const content = contentSchema.safeParse(jsonIn(file.content)).data;
  // The hash matches, but the content is not what a phone writes.
  if (content === undefined) throw refused(importMessages.fileUnknown);
  return content;
}

function refused(message: string): AppError {
  return new AppError('invalid', { message, data: { fields: {} } });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(importMessages.fileUnknown);
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
