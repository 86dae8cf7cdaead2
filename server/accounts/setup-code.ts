import { createHash, randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { setupCodes } from '#db/schema/people.ts';

// The code of the set-up link: whoever reads the server's output may make the first administrator. It is good for as
// long as there is none, and only its hash is kept.

const CODE_BYTES = 32;
/** Any number that no other program uses in this database. */
const SETUP_LOCK = 7_461_002;

/** A new code; those printed by other processes of the same installation stay good. */
export async function makeSetupCode(db: Queryable, now: string): Promise<string> {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  await db.insert(setupCodes).values({ codeHash: hashOf(code), createdAt: now });
  return code;
}

export async function isSetupCode(db: Queryable, code: string): Promise<boolean> {
  const found = await db
    .select({ codeHash: setupCodes.codeHash })
    .from(setupCodes)
    .where(eq(setupCodes.codeHash, hashOf(code)));
  return found.length > 0;
}

export async function deleteSetupCodes(db: Queryable): Promise<void> {
  await db.delete(setupCodes);
}

/**
 * One at a time, until the end of the transaction: whoever decides on who is an administrator. Without it two could
 * both find that there is none, or that another one is left.
 */
export async function lockAdministration(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${SETUP_LOCK})`);
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
