import { sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { buildingPulses, pulseChanges, pulseKinds } from '#db/schema/pulse.ts';
import { subjectTypes } from '#shared/features/checks/definition.ts';
import { checks } from '#shared/features/checks/index.ts';
import { CHECK_KINDS, CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';

/**
 * Stores which kinds of checks this server has switched on, and if they have changed, judges the checks of all buildings
 * again. Processes that start together do it one after the other.
 */
export async function ensurePulseKinds(db: Database, enabled: readonly CheckKind[]): Promise<void> {
  const wanted = CHECK_KINDS.map((kind) => {
    const { subject } = checks[kind];
    return {
      kind,
      cadence: CHECK_VOCABULARY[kind].cadence,
      subjectTypes: subject.of === 'place' ? null : subjectTypes(subject),
      isCounted: enabled.includes(kind),
    };
  });
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${pulseKinds} in share row exclusive mode`);
    const known = await tx.select().from(pulseKinds);
    const isKnown = (row: (typeof wanted)[number]) =>
      known.some((other) => JSON.stringify({ ...row, ...other }) === JSON.stringify(row));
    if (known.length === wanted.length && wanted.every(isKnown)) return;
    await tx.delete(pulseKinds);
    await tx.insert(pulseKinds).values(wanted);
    await tx.execute(sql`
      insert into ${pulseChanges} (building_id, of_checks) select building_id, true from ${buildingPulses}`);
  });
}
