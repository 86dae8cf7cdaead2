import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { serverSecrets } from '#db/schema/people.ts';

/** What a device's mark is bound to: with another password, or for another account, it is worth nothing. */
export type DeviceAccount = { userId: string; passwordHash: string };

/**
 * Marks on devices that an account was signed in on, as in OWASP's "device cookies": a device that has one is not held
 * up by what others do to the account or from its network. A mark opens nothing by itself.
 */
export type Devices = {
  /**
   * The cookie's next value: a new mark of this account first, and the marks of other accounts that the device has.
   * @param value the cookie's present value, as the client sent it
   */
  mark(value: string | undefined, account: DeviceAccount): Promise<string>;
  /** The id of the device's mark for this account, if it has one. */
  recognise(value: string | undefined, account: DeviceAccount): Promise<string | undefined>;
  /** The id of the first mark that this installation made, whatever its account. */
  idOf(value: string | undefined): Promise<string | undefined>;
};

const SECRET_NAME = 'devices';
const SECRET_BYTES = 32;
const ID_BYTES = 12;
const MAC_BYTES = 16;
/** Accounts that one device is remembered for, the latest first: a shared phone or an office's computer. */
const MARKS_MAX = 8;
const BETWEEN_MARKS = '~';
// id, the account that it is bound to, and the seal over both; 12 and twice 16 bytes.
const MARK_PATTERN = /^([\w-]{16})\.([\w-]{22})\.([\w-]{22})$/;

type Mark = { text: string; id: string; binding: string };

/** The key lies in the database, so that all processes and the next start have the same. */
export function createDevices(db: Database): Devices {
  let secret: Promise<Buffer> | undefined;

  function readSecret(): Promise<Buffer> {
    secret ??= readOrMake(db).catch((error: unknown) => {
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

/** The first process to ask makes it. */
async function readOrMake(db: Database): Promise<Buffer> {
  const made = randomBytes(SECRET_BYTES).toString('base64url');
  await db.insert(serverSecrets).values({ name: SECRET_NAME, secret: made }).onConflictDoNothing();
  const [row] = await db
    .select({ secret: serverSecrets.secret })
    .from(serverSecrets)
    .where(eq(serverSecrets.name, SECRET_NAME));
  if (row === undefined) throw new Error('a row that was just inserted is gone');
  return Buffer.from(row.secret, 'base64url');
}

function bind(key: Buffer, id: string, { userId, passwordHash }: DeviceAccount): string {
  return mac(key, ['account', id, userId, passwordHash]);
}

function sealOf(key: Buffer, id: string, binding: string): string {
  return mac(key, ['mark', id, binding]);
}

/** None of the parts holds a line break, so no two lists have one text. */
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
