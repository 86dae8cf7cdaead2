import { createHash, randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { eq, type SQL } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { storedFiles } from '#db/schema/files.ts';
import { photos } from '#db/schema/photos.ts';
import type { AnnouncePhotoInput } from '#shared/features/photos/photos.ts';
import { UPLOAD_OFFSET } from '#shared/features/photos/photos.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { headersFor } from '../server/client.ts';

/**
 * A PNG of one pixel.
 * @param noise length of its random comment in bytes, which gives each picture a hash of its own; 0 for none
 */
export function picture(noise = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(1, 0);
  header.writeUInt32BE(1, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.from([0, 200, 30, 60]));
  const note = Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(noise, String(Math.random()))]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', note),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of random pixels, which no phone can reduce much and which differs from every other. */
export function noisyPicture(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, () => Buffer.concat([Buffer.alloc(1), randomBytes(width * 3)]));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The announcement of a picture, as a phone sends it. */
export function announcement(bytes: Buffer, of: AnnouncePhotoInput['of']): AnnouncePhotoInput {
  return {
    operationId: uuidv7(),
    id: uuidv7(),
    of,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.byteLength,
    contentType: 'image/png',
    width: 1,
    height: 1,
    takenAt: new Date().toISOString(),
  };
}

/** Sends bytes from an offset on, as the pages do. */
export function putPhoto(
  url: string,
  cookie: string | undefined,
  id: string,
  offset: number,
  bytes: Buffer,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/files/photos/${id}`, {
    method: 'PUT',
    headers: {
      ...headersFor(url, cookie),
      'content-type': 'application/octet-stream',
      [UPLOAD_OFFSET]: String(offset),
      ...headers,
    },
    body: Uint8Array.from(bytes),
  });
}

/** Photos with the state, size, type, hash and key of their files. */
export async function photoRows(db: Database, where?: SQL) {
  const rows = await db
    .select({ photo: photos, file: storedFiles })
    .from(photos)
    .innerJoin(storedFiles, eq(storedFiles.id, photos.id))
    .where(where);
  return rows.map(({ photo, file }) => ({ ...file, ...photo }));
}
