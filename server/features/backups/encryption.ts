import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { BackupError } from './manifest.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** Encrypts to a recipient of age, or decrypts with an identity. */
export type Cipher = {
  encrypt(source: Bytes): Promise<Bytes>;
  /** @throws BackupError if it was encrypted to another key; later, while it is read, if it was changed */
  decrypt(source: Bytes, name: string): Promise<Bytes>;
};

/**
 * Encrypts to the key of a recipient, so that whoever can read the place of the backups cannot read what is in them.
 * @param recipient `age1…`
 * @throws BackupError if that is no recipient
 */
export function encryptionTo(recipient: string): Cipher {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch (error) {
    throw new BackupError(`"${recipient}" is no recipient of age, which begins with "age1".`, {
      cause: error,
    });
  }
  return {
    encrypt: async (source) => toNode(await encrypter.encrypt(toWeb(source))),
    decrypt: () => Promise.reject(new BackupError('Only the identity of age opens what is encrypted.')),
  };
}

/**
 * Decrypts with the identity of the recipient.
 * @param identity `AGE-SECRET-KEY-1…`
 * @throws BackupError if that is no identity
 */
export function decryptionWith(identity: string): Cipher {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch (error) {
    throw new BackupError('That is no identity of age, which begins with "AGE-SECRET-KEY-1".', {
      cause: error,
    });
  }
  return {
    encrypt: () => Promise.reject(new BackupError('An identity decrypts, and does not encrypt.')),
    async decrypt(source, name) {
      try {
        return toNode(await decrypter.decrypt(toWeb(source)));
      } catch (error) {
        throw new BackupError(`${name} cannot be decrypted with this identity.`, { cause: error });
      }
    },
  };
}

// The casts: the streams of Node and of the web are the same here, but their types differ.

function toWeb(source: Bytes): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(
    withErrorListener(Readable.from(source, { objectMode: false })),
  ) as globalThis.ReadableStream<Uint8Array>;
}

function toNode(stream: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as ReadableStream<Uint8Array>);
}
