import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { BackupError, DamagedError } from './backup-error.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** Encrypts to a recipient of age, or decrypts with an identity. */
export type Cipher = {
  encrypt(source: Bytes): Promise<Bytes>;
  /**
   * Decrypts a stream. An error of the source itself is thrown as it is.
   * @throws BackupError if the data was encrypted to another key; `DamagedError` if it was changed, also while the result is read
   */
  decrypt(source: Bytes, name: string): Promise<Bytes>;
};

/**
 * Returns a cipher that encrypts to an age recipient. Read access to the repository then reveals no content.
 * @param recipient `age1…`
 * @throws BackupError if it is not a valid recipient
 */
export function encryptionTo(recipient: string): Cipher {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch (error) {
    throw new BackupError(`"${recipient}" is not an age recipient: a letter is missing or wrong.`, {
      cause: error,
    });
  }
  return {
    encrypt: async (source) => toNode(await encrypter.encrypt(toWeb(source))),
    decrypt: () => Promise.reject(new BackupError('Decryption needs the age identity.')),
  };
}

/**
 * Returns a cipher that decrypts with age identities.
 * @param identities `AGE-SECRET-KEY-1…`; one of them must be that of the recipient
 * @throws BackupError if one is not a valid identity
 */
export function decryptionWith(...identities: string[]): Cipher {
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch (error) {
    throw new BackupError('That is not an age identity, which begins with "AGE-SECRET-KEY-1".', {
      cause: error,
    });
  }
  return {
    encrypt: () => Promise.reject(new BackupError('Encryption needs the recipient, not the identity.')),
    async decrypt(source, name) {
      const watched = withKeptError(source);
      try {
        return readable(toNode(await decrypter.decrypt(toWeb(watched.source))), refusalOf);
      } catch (error) {
        throw refusalOf(error);
      }

      function refusalOf(cause: unknown): unknown {
        if (watched.error !== undefined) return watched.error;
        const isOther = cause instanceof Error && cause.message.startsWith('no identity matched');
        if (isOther) return new BackupError(`${name} is encrypted to another key.`, { cause });
        return new DamagedError(`${name} is damaged.`, { cause });
      }
    },
  };
}

/** Stores the error of a source. A reader of a web stream cannot distinguish errors of the source from errors of the stream. */
function withKeptError(source: Bytes): { source: Bytes; error: unknown } {
  const kept = { source: pieces(), error: undefined as unknown };
  async function* pieces() {
    try {
      yield* source;
    } catch (error) {
      kept.error = error;
      throw error;
    }
  }
  return kept;
}

async function* readable(source: Bytes, refusalOf: (error: unknown) => unknown): Bytes {
  try {
    yield* source;
  } catch (error) {
    throw refusalOf(error);
  }
}

// The casts: Node and the DOM library declare the same web streams with different types.

function toWeb(source: Bytes): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(
    withErrorListener(Readable.from(source, { objectMode: false })),
  ) as globalThis.ReadableStream<Uint8Array>;
}

function toNode(stream: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as ReadableStream<Uint8Array>);
}
