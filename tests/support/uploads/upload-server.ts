import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { fileLayer } from '#server/boot/file-layer.ts';
import { type RunningServer, startServer } from '#server/boot/start-server.ts';
import type { FileLayer } from '#server/features/files/uploads.writes.ts';
import type { Env } from '#server/kernel/env.ts';
import { serve } from '../server/child.ts';
import { testEnv } from '../server/server.ts';
import { testLayer } from './uploads.ts';

/** The points at which a server can be killed while it receives an upload, in order. */
export const KILL_POINTS = [
  'reserved',
  'lease taken',
  'half of the bytes',
  'bytes kept',
  'in its place',
  'within the transaction',
  'committed',
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

export type UploadServerInput = {
  databaseUrl: string;
  env: Pick<Env, 'dataDir' | 'fileStore'> & Partial<Env>;
  killAt?: KillPoint;
  /** Half of the file's bytes: the kill point 'half of the bytes' comes after this number of bytes. */
  half?: number;
  /** Accepts documents, as in the product, instead of the tests' files. */
  documents?: boolean;
  /** Whether the server believes that the disk has room, as if another program filled the disk at the same moment. */
  believesInRoom?: boolean;
};

let peak = 0;
let filler = '';

const handlers = {
  async listen({ databaseUrl, env, killAt, half = 0, documents, believesInRoom }: UploadServerInput) {
    const layer = documents === true ? fileLayer : testLayer();
    filler = join(env.dataDir, 'filler');
    const server = await startServer({ ...testEnv, ...env }, databaseUrl, {
      files: killAt === undefined ? layer : dyingLayer(layer, killAt),
      logStream: { write: () => undefined },
      ...(believesInRoom === true && { diskSpace: { floor: 0, freeBytes: async () => 2 ** 40 } }),
    });
    if (killAt !== undefined) dieAt(server, env.fileStore, killAt, half);
    setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20).unref();
    return server.url;
  },
  /** Resident bytes: now, and the maximum since the last call. */
  memory(_: undefined) {
    const now = process.memoryUsage().rss;
    const most = Math.max(peak, now);
    peak = now;
    return { now, most };
  },
  /** Fills this number of bytes of the disk, beside the server's own files. */
  fill: (bytes: number) => writeFile(filler, Buffer.alloc(bytes)),
  /** Frees the bytes that `fill` took. */
  empty: (_: undefined) => rm(filler),
};
export type UploadServerHandlers = typeof handlers;

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function dyingLayer(layer: FileLayer, killAt: KillPoint) {
  return {
    ...layer,
    purposes: layer.purposes.map((purpose) => ({
      ...purpose,
      async stored(...given: Parameters<typeof purpose.stored>) {
        const answer = await purpose.stored(...given);
        if (killAt === 'within the transaction') die();
        return answer;
      },
    })),
    routes: layer.routes.map((route) => ({
      ...route,
      async reserve(...given: Parameters<typeof route.reserve>) {
        const answer = await route.reserve(...given);
        if (killAt === 'reserved') die();
        return answer;
      },
    })),
  };
}

function dieAt(server: RunningServer, store: 'disk' | 's3', killAt: KillPoint, half: number): void {
  const { arrivals } = server.services.stores[store] ?? server.services.stores.disk;
  const { append, finish } = arrivals;
  let isComplete = false;
  Object.assign(arrivals, {
    async append(...[file, offset, source, fence]: Parameters<typeof append>) {
      if (killAt === 'lease taken') die();
      let seen = 0;
      const counted = new Transform({
        transform(piece, _encoding, done) {
          seen += piece.byteLength;
          // The store has taken the earlier pieces: each piece waits for the one before.
          if (killAt === 'half of the bytes' && seen > half) die();
          done(null, piece);
        },
      });
      source.pipe(counted);
      const result = await append.call(arrivals, file, offset, counted, fence);
      if (killAt === 'bytes kept') die();
      return result;
    },
    async finish(...given: Parameters<typeof finish>) {
      await finish.apply(arrivals, given);
      if (killAt === 'in its place') die();
      isComplete = true;
    },
  });
  const { sequencer } = server.services;
  const schedule = sequencer.schedule.bind(sequencer);
  sequencer.schedule = () => {
    if (killAt === 'committed' && isComplete) die();
    schedule();
  };
}

serve(handlers);
