import { z } from 'zod';
import { buildingAccessSchema } from '#shared/features/session.ts';
import { ROLES, type Role } from '#shared/permissions.ts';
import { BuildingSet } from './building-set.ts';

const roleSchema = z.enum(ROLES).nullable();

/** A person's whole access as the database answers it, and as events carried it before they carried changes. */
const wholeAccessSchema = z.object({
  userId: z.string(),
  role: roleSchema,
  buildings: buildingAccessSchema,
  /** Rises by one with each change of it. */
  version: z.number().int(),
  disabled: z.boolean(),
});
export type WholeAccess = z.infer<typeof wholeAccessSchema>;

/** The same as this process keeps it: the set of buildings is shared by all who have it. */
export type AccessRecord = Omit<WholeAccess, 'buildings'> & { buildings: BuildingSet | 'all' };

export function toAccessRecord(access: WholeAccess): AccessRecord {
  const { buildings } = access;
  return { ...access, buildings: buildings === 'all' ? 'all' : BuildingSet.of(buildings) };
}

const accessDeltaSchema = z.object({
  /** Whom it concerns, each with the version that it makes. */
  people: z.record(z.string(), z.number().int()),
  lost: z.array(z.string()),
  gained: z.array(z.string()),
  /**
   * `exact`: each of them lost and gained just these. `wider`: some of them never had all that is lost, so it cannot be
   * undone. `left_out`: too long to be carried, so the database has to be asked.
   */
  lists: z.enum(['exact', 'wider', 'left_out']),
  /** Before and after; absent where it is the same. */
  role: z.tuple([roleSchema, roleSchema]).optional(),
  /** After; absent where it is the same. */
  disabled: z.boolean().optional(),
});
/** What has changed in the access of one person or several (rule R3). */
export type AccessDelta = z.infer<typeof accessDeltaSchema>;

/** What an event says of access. */
export type AccessEvent = { delta: AccessDelta } | { whole: WholeAccess };

const accessBody = z.union([
  z.object({ delta: accessDeltaSchema }),
  z.object({ access: wholeAccessSchema }).transform(({ access }) => ({ whole: access })),
]);
const sessionsBody = z.object({ sessions: z.union([z.literal('all'), z.array(z.string())]) });

/** Undefined where the payload was erased, or is not what this version writes: then the database must be asked. */
export function parseAccess(row: { body: string | null }): AccessEvent | undefined {
  return row.body === null ? undefined : accessBody.safeParse(JSON.parse(row.body)).data;
}

/** What cannot be read ends every session of the person: the safe side. */
export function parseSessions(body: string | null): readonly string[] | 'all' {
  return (body === null ? undefined : sessionsBody.safeParse(JSON.parse(body)).data?.sessions) ?? 'all';
}

/** The version that an event makes of a person's access; undefined where it says nothing of that person. */
export function accessVersionFor(accessEvent: AccessEvent, userId: string): number | undefined {
  if ('delta' in accessEvent) return accessEvent.delta.people[userId];
  return accessEvent.whole.userId === userId ? accessEvent.whole.version : undefined;
}

/** Undefined where the change does not say what is seen after it: then the database must be asked. */
export function applyAccessDelta(
  access: AccessRecord,
  delta: AccessDelta,
  version: number,
): AccessRecord | undefined {
  if (delta.lists === 'left_out') return undefined;
  const role = delta.role === undefined ? access.role : delta.role[1];
  const disabled = delta.disabled ?? access.disabled;
  const listed = listOf(access);
  const buildings = buildingsOf(role) ?? listed?.minus(delta.lost).plus(delta.gained);
  return buildings && { ...access, role, disabled, version, buildings };
}

/** What was seen before a change. */
export type AccessState = { role: Role | null; buildings: BuildingSet | 'all' | undefined };

/** Goes back over a change; `buildings` are undefined where it does not say what was seen before it. */
export function revertAccessDelta(after: AccessState, delta: AccessDelta): AccessState {
  const role = delta.role === undefined ? after.role : delta.role[0];
  const listed = delta.lists === 'exact' ? listOf(after) : undefined;
  return { role, buildings: buildingsOf(role) ?? listed?.minus(delta.gained).plus(delta.lost) };
}

/** What a role sees whatever was given; undefined where that is what counts. */
function buildingsOf(role: Role | null): BuildingSet | 'all' | undefined {
  if (role === 'admin') return 'all';
  return role === null ? BuildingSet.empty : undefined;
}

/** What was given; undefined where the role hides it. */
function listOf({ role, buildings }: AccessState): BuildingSet | undefined {
  return buildings === 'all' || role === null ? undefined : buildings;
}
