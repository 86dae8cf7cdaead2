import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '#db/client.ts';
import { readServerSecret } from './server-secret.ts';

/** The account that a mark belongs to. A change of password invalidates the mark. */
export type DeviceAccount = { userId: string; passwordHash: string };

/**
 * Marks devices on which an account has signed in, like OWASP's "device cookies": a marked device is not slowed down by other
 * people's attempts on the account or from its network. A mark alone grants no access.
 */
export type Devices = {
  /**
   * Returns the next value of the cookie: a new mark for this account, followed by the device's marks for other
   * accounts.
   * @param value the cookie's present value as the client sent it
   */
  mark(value: string | undefined, account: DeviceAccount): Promise<string>;
  /** Returns the id of the device's mark for this account, if it has one. */
  recognise(value: string | undefined, account: DeviceAccount): Promise<string | undefined>;
  /** Returns the id of the first valid mark, of any account. */
  idOf(value: string | undefined): Promise<string | undefined>;
};

const SECRET_NAME = 'devices';
const ID_BYTES = 12;
const MAC_BYTES = 16;
/** Accounts remembered per device, newest first; shared phones and office computers have several. */
const MARKS_MAX = 8;
const BETWEEN_MARKS = '~';
// A mark: an id (12 bytes), the binding to the account, and a seal over both (16 bytes each).
const MARK_PATTERN = /^([\w-]{16})\.([\w-]{22})\.([\w-]{22})$/;

type Mark = { text: string; id: string; binding: string };

/**
 * Creates the device marks of an installation. The key is stored in the database, so that all processes and later
 * starts share it.
 */
export function createDevices(db: Database): Devices {
  let secret: Promise<Buffer> | undefined;

  function readSecret(): Promise<Buffer> {
    secret ??= readServerSecret(db, SECRET_NAME).catch((error: unknown) => {
      secret = undefined;
      throw error;
    });
    return secret;
  }

  async function marksIn(value: string | undefined): Promise<Mark[]> {
    const texts = value?.split(BETWEEN_MARKS, MARKS_MAX) ?? [];
    if (texts.length === 0) return [];
    const key = await readSecret();
    return texts.flatMap((text): Mark[] => {
      const [, id = '', binding = '', seal = ''] = MARK_PATTERN.exec(text) ?? [];
      return id !== '' && isSame(seal, sealOf(key, id, binding)) ? [{ text, id, binding }] : [];
    });
  }

  return {
    async mark(value, account) {
      const key = await readSecret();
      const others = (await marksIn(value)).filter(({ id, binding }) => binding !== bind(key, id, account));
      const id = randomBytes(ID_BYTES).toString('base64url');
      const binding = bind(key, id, account);
      const made = [id, binding, sealOf(key, id, binding)].join('.');
      return [made, ...others.map(({ text }) => text)].slice(0, MARKS_MAX).join(BETWEEN_MARKS);
    },
    async recognise(value, account) {
      const marks = await marksIn(value);
      if (marks.length === 0) return undefined;
      const key = await readSecret();
      return marks.find(({ id, binding }) => isSame(binding, bind(key, id, account)))?.id;
    },
    async idOf(value) {
      const [first] = await marksIn(value);
      return first?.id;
    },
  };
}

function bind(key: Buffer, id: string, { userId, passwordHash }: DeviceAccount): string {
  return mac(key, ['account', id, userId, passwordHash]);
}

function sealOf(key: Buffer, id: string, binding: string): string {
  return mac(key, ['mark', id, binding]);
}

/** The MAC of these parts. No part contains a line break, so different lists never join to the same text. */
function mac(key: Buffer, parts: readonly string[]): string {
  return createHmac('sha256', key)
    .update(parts.join('\n'))
    .digest()
    .subarray(0, MAC_BYTES)
    .toString('base64url');
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
