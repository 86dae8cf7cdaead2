import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { UNSENT_FORMAT, UNSENT_VERSION, type UnsentContent } from '#shared/unsent-file.ts';

const words = offlineMessages;
const ENTRIES_MAX = 10_000;
const ATTACHMENTS_MAX = 200;

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
        input: z.unknown(),
        receipt: z.unknown(),
        title: z.string().max(500),
        createdAt: z.iso.datetime(),
        attachments: z
          .array(
            z.strictObject({
              id: z.uuid(),
              sha256: z.string().regex(/^[0-9a-f]{64}$/),
              contentType: z.string().max(100),
              about: z.unknown(),
              data: z.base64().nullable(),
            }),
          )
          .max(ATTACHMENTS_MAX),
      }),
    )
    .max(ENTRIES_MAX),
});

/**
 * Reads a file saved by a phone.
 * @throws AppError `invalid` with a sentence if it is no such file, of a newer version, or changed since
 */
export function readUnsent(bytes: Uint8Array): UnsentContent {
  const file = fileSchema.safeParse(jsonIn(decode(bytes))).data;
  if (file === undefined) throw refused(words.fileUnknown);
  if (file.version > UNSENT_VERSION) throw refused(words.fileNewer);
  if (createHash('sha256').update(file.content).digest('hex') !== file.sha256)
    throw refused(words.fileChanged);
  const content = contentSchema.safeParse(jsonIn(file.content)).data;
  // The hash matches, but the content is not what a phone writes.
  if (content === undefined) throw refused(words.fileUnknown);
  return content;
}

function refused(message: string): AppError {
  return new AppError('invalid', { message, data: { fields: {} } });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(words.fileUnknown);
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
