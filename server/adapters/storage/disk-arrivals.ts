import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Arrivals, type Arriving, PIECE_BYTES, type Piece } from './arrivals.ts';
import type { PartialUploads } from './partial-uploads.ts';
import type { Storage } from './storage.ts';

/** Uploads to the disk: a part grows in a folder of its own and is renamed when it is complete. */
export function diskArrivals(parts: PartialUploads, storage: Storage): Arrivals {
  /** A crash may have come between the renaming and the row. */
  async function hasItsPlace({ id, key, bytes }: Arriving): Promise<boolean> {
    return (await parts.size(id)) === 0 && (await storage.head(key))?.bytes === bytes;
  }

  return {
    async received(file) {
      return (await hasItsPlace(file)) ? file.bytes : parts.size(file.id);
    },
    async append(file, offset, source, fence) {
      if (offset === file.bytes && (await hasItsPlace(file))) return { received: offset };
      if (fence.tookOver) await parts.detach(file.id);
      const hash = createHash('sha256');
      const received = await parts.append(file.id, offset, source, file.bytes, (stretch) => {
        fence.assertHeld();
        hash.update(stretch);
      });
      fence.assertHeld();
      return offset === 0 && received === file.bytes
        ? { received, sha256: hash.digest('hex') }
        : { received };
    },
    async finish(file, fence) {
      if (await hasItsPlace(file)) return;
      fence.assertHeld();
      await storage.adopt(file.key, parts.pathOf(file.id), { overwrite: true });
    },
    async pieces(file, isAbandoned) {
      const size = await parts.size(file.id);
      const found: Piece[] = [];
      for (let start = 0; start < size && !isAbandoned(); start += PIECE_BYTES) {
        const end = Math.min(start + PIECE_BYTES, size) - 1;
        const hash = createHash('sha256');
        const bytes = await feed(hash, parts.read(file.id, { start, end }));
        found.push({ bytes, sha256: hash.digest('hex') });
      }
      return found;
    },
    async drop(file) {
      await parts.delete(file.id);
      await storage.delete(file.key);
    },
    tidy: (before, isKnown) => parts.tidy(before, isKnown),
  };
}

async function feed(hash: Hash, stream: Readable): Promise<number> {
  let bytes = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.byteLength;
  }
  return bytes;
}
