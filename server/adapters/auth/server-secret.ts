import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { serverSecrets } from '#db/schema/people.ts';

const SECRET_BYTES = 32;

/** Reads a key that all processes share; the first that needs it creates it. */
export async function readServerSecret(db: Database, name: string): Promise<Buffer> {
  const made = randomBytes(SECRET_BYTES).toString('base64url');
  await db.insert(serverSecrets).values({ name, secret: made }).onConflictDoNothing();
  const [row] = await db
    .select({ secret: serverSecrets.secret })
    .from(serverSecrets)
    .where(eq(serverSecrets.name, name));
  if (row === undefined) throw new Error('a row that was just inserted is gone');
  return Buffer.from(row.secret, 'base64url');
}
