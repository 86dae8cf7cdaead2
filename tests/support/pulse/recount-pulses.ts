import type { Sql } from 'postgres';

/** Counts the figures of all buildings, after rows were inserted while their triggers were off. */
export async function recountPulses(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`update building_pulses set moves_at = null`;
    await tx`insert into pulse_changes (building_id, of_building, folds) select building_id, true, row_number() over () = 1 from building_pulses`;
  });
  await sql`vacuum (analyze) building_pulses, pulse_changes`;
}
