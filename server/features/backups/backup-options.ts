import type { KeyObject } from 'node:crypto';
import type { Storage } from '../../adapters/storage/storage.ts';
import type { Repository } from './parts.ts';

/** The file storages of an installation. `FileStores` conforms to it. */
export type FileStorages = {
  /** The storage to which a restore writes files. */
  preferred: 'disk' | 's3';
  disk: { storage: Storage };
  /** Undefined if no bucket is configured. */
  s3: { storage: Storage } | undefined;
};

export type BackupOptions = {
  /** Any login that may read the tables. */
  databaseUrl: string;
  /** Identifies the installation. */
  installation: string;
  stores: FileStorages;
  repository: Repository;
  /** The age recipient of `repository.cipher`; null without encryption. */
  encryptedTo: string | null;
  signingKey: KeyObject;
  version: string;
  now: Date;
  /** Also checks the content of files that are in the repository already, and stores damaged ones again. */
  rereads?: boolean;
  /** For tests: an exported snapshot to dump. */
  snapshot?: string;
  log?: (line: string) => void;
};
