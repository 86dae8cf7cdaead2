import { createHash, randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { setupCodes } from '#db/schema/people.ts';

// The code in the set-up link. Anyone who can read the server's output may use it to become the first administrator. It
// is valid while there is no administrator, and only its hash is stored.

const CODE_BYTES = 32;
/** Key of the advisory lock; must not collide with one of another program in this database. */
const SETUP_LOCK = 7_461_002;

/** Creates a code. Codes printed by other processes of the installation stay valid. */
export async function makeSetupCode(db: Queryable, now: string): Promise<string> {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  await db.insert(setupCodes).values({ codeHash: hashOf(code), createdAt: now });
  return code;
}

/** Returns whether the code is a valid set-up code. */
export async function isSetupCode(db: Queryable, code: string): Promise<boolean> {
  const found = await db
    .select({ codeHash: setupCodes.codeHash })
    .from(setupCodes)
    .where(eq(setupCodes.codeHash, hashOf(code)));
  return found.length > 0;
}

/** Deletes all set-up codes. */
export async function deleteSetupCodes(db: Queryable): Promise<void> {
  await db.delete(setupCodes);
}

/**
 * Serialises, until the transaction ends, the decisions about who is an administrator. Without the lock two
 * transactions could both find that there is no administrator yet, or that another one remains.
 */
export async function lockAdministration(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${SETUP_LOCK})`);
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
