import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Arrivals, type Arriving, type Fence, PIECE_BYTES, type Piece } from './arrivals.ts';
import type { PartialUploads } from './partial-uploads.ts';
import type { Storage } from './storage.ts';

/** How many broken-off uploads have their hash cached. The hash of other uploads is computed from the file at the end. */
const REMEMBERED = 256;

/** The hash of an upload's first bytes, which its last writer computed as they arrived. */
type PartialHash = { hash: Hash; bytes: number; writer: number };

/** Uploads to the disk: a part grows in a folder of its own and is renamed when it is complete. */
export function diskArrivals(parts: PartialUploads, storage: Storage): Arrivals {
  const hashes = new Map<string, PartialHash>();

  /** Takes the hash with which a writer continues; undefined if the bytes before its offset may be another writer's. */
  function takeHash(id: string, offset: number, { number, tookOver }: Fence): Hash | undefined {
    const before = hashes.get(id);
    hashes.delete(id);
    if (offset === 0) return createHash('sha256');
    const follows = before?.writer === number - 1 && before.bytes === offset && !tookOver;
    return follows ? before.hash : undefined;
  }

  function remember(id: string, one: PartialHash): void {
    hashes.set(id, one);
    for (const oldest of hashes.keys()) if (hashes.size > REMEMBERED) hashes.delete(oldest);
  }

  /** Whether the file is under its key already: the process may have crashed between renaming it and writing its row. */
  async function isFinished({ id, key, bytes }: Arriving): Promise<boolean> {
    return (await parts.size(id)) === 0 && (await storage.head(key))?.bytes === bytes;
  }

  return {
    async received(file) {
      return (await isFinished(file)) ? file.bytes : parts.size(file.id);
    },
    async append(file, offset, source, fence) {
      if (offset === file.bytes && (await isFinished(file))) return { received: offset };
      if (fence.tookOver) await parts.detach(file.id);
      const hash = takeHash(file.id, offset, fence);
      let bytes = offset;
      const received = await parts.append(file.id, offset, source, file.bytes, (stretch) => {
        fence.assertHeld();
        hash?.update(stretch);
        bytes += stretch.byteLength;
      });
      fence.assertHeld();
      if (hash === undefined) return { received };
      if (received === file.bytes) return { received, sha256: hash.digest('hex') };
      if (received === bytes) remember(file.id, { hash, bytes, writer: fence.number });
      return { received };
    },
    async finish(file, fence) {
      if (await isFinished(file)) return;
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
      hashes.delete(file.id);
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
