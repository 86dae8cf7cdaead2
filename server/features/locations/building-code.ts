import { like, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { buildings } from '#db/schema/places.ts';
import { codePrefix } from '#shared/features/locations/building-code.ts';

const TRIES = 50;

/**
 * Inserts a building with the first free code: HAR, HAR2, HAR3 …
 * @param insert writes the row, ignoring a conflict; returns whether it was written
 */
export async function withFreeCode(
  tx: Transaction,
  name: string,
  insert: (code: string) => Promise<boolean>,
): Promise<string> {
  const prefix = codePrefix(name);
  for (let tries = 0; tries < TRIES; tries += 1) {
    // A new statement each time, which sees a code that another command has taken in the meantime.
    const code = await nextCode(tx, prefix);
    if (await insert(code)) return code;
  }
  throw new Error(`no free code for ${prefix} in ${TRIES} tries`);
}

async function nextCode(tx: Transaction, prefix: string): Promise<string> {
  const taken = await tx
    .select({ code: buildings.code })
    .from(buildings)
    .where(like(buildings.code, sql`${`${prefix}%`}`));
  const codes = new Set(taken.map(({ code }) => code));
  if (!codes.has(prefix)) return prefix;
  let number = 2;
  while (codes.has(`${prefix}${number}`)) number += 1;
  return `${prefix}${number}`;
}
