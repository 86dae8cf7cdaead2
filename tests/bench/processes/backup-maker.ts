import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { makeBackup } from '#server/features/backups/make-backup.ts';
import { type Handlers, serve } from '#tests/support/server/child.ts';

// Makes backups in a process of its own, so that it can be killed.

const handlers = {
  /** Answers once the process is loaded. */
  ready: () => undefined,
  /** @returns the id of the backup once it is complete */
  async make(input: {
    databaseUrl: string;
    dataDir: string;
    to: string;
    /** Ed25519, PKCS #8, base64. */
    signingKey: string;
    snapshot?: string;
  }) {
    const stores = {
      preferred: 'disk',
      disk: { storage: diskStorage(join(input.dataDir, 'files')) },
      s3: undefined,
    } as const;
    const { manifest, newFiles, newBytes } = await makeBackup({
      databaseUrl: input.databaseUrl,
      installation: 'bench',
      stores,
      repository: { storage: diskStorage(input.to), cipher: undefined },
      encryptedTo: null,
      signingKey: createPrivateKey({
        key: Buffer.from(input.signingKey, 'base64'),
        type: 'pkcs8',
        format: 'der',
      }),
      version: '0.1.0',
      now: new Date(),
      ...(input.snapshot !== undefined && { snapshot: input.snapshot }),
    });
    return { id: manifest.id, newFiles, newBytes };
  },
} satisfies Handlers;

export type BackupMakerHandlers = typeof handlers;
serve(handlers);
