import { z } from 'zod';
import { buildingAccessSchema } from '#shared/features/session.ts';
import { ROLES } from '#shared/permissions.ts';

/** A person's whole access, as the event of a change carries it and as the database answers it (rule R3). */
export const accessRecordSchema = z.object({
  userId: z.string(),
  role: z.enum(ROLES).nullable(),
  buildings: buildingAccessSchema,
  /** Rises with each change of it; readers take only higher ones. */
  version: z.number().int(),
  disabled: z.boolean(),
});
export type AccessRecord = z.infer<typeof accessRecordSchema>;

const accessBody = z.object({ access: accessRecordSchema });
const sessionsBody = z.object({ sessions: z.union([z.literal('all'), z.array(z.string())]) });

/** Undefined where the payload was erased, or is not what this version writes: then the database must be asked. */
export function parseAccess(row: { body: string | null }): AccessRecord | undefined {
  return row.body === null ? undefined : accessBody.safeParse(JSON.parse(row.body)).data?.access;
}

/** What cannot be read ends every session of the person: the safe side. */
export function parseSessions(body: string | null): readonly string[] | 'all' {
  return (body === null ? undefined : sessionsBody.safeParse(JSON.parse(body)).data?.sessions) ?? 'all';
}
