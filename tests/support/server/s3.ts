import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { S3Settings } from '#server/adapters/storage/s3-requests.ts';

export type TestS3 = { settings: S3Settings; stop(): Promise<void> };

/**
 * Starts an S3 server with an empty bucket. It answers the calls and stores the bytes, but does not check signatures, which
 * have their own tests (`tests/unit/files/s3-signature.test.ts`).
 */
export async function startTestS3(bucket = 'building-documents'): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'lintel-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    directory,
    silent: true,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    async stop() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
