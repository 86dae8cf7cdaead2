import { z } from 'zod';
import { buildingAccessSchema } from '#shared/features/users/session.ts';
import { type Permission, permissionsOf, ROLES, type Role } from '#shared/permissions.ts';
import { VIEW_PERMISSIONS, VIEWS } from '#shared/views.ts';
import { BuildingSet } from './building-set.ts';

const roleSchema = z.enum(ROLES).nullable();

/** A principal's whole access, as read from the database, and as older events carried it for people. */
const wholeAccessSchema = z.object({
  /** The id of the person or the display. */
  userId: z.string(),
  role: roleSchema,
  /** The view of a display, which has no role; absent for a person. */
  view: z.enum(VIEWS).optional(),
  buildings: buildingAccessSchema,
  /** Rises by one with each change of the access. */
  version: z.number().int(),
  disabled: z.boolean(),
});
export type WholeAccess = z.infer<typeof wholeAccessSchema>;

/** A principal's access as this process caches it; principals with equal buildings share one set. */
export type AccessRecord = Omit<WholeAccess, 'buildings'> & { buildings: BuildingSet | 'all' };

export function toAccessRecord(access: WholeAccess): AccessRecord {
  const { buildings } = access;
  return { ...access, buildings: buildings === 'all' ? 'all' : BuildingSet.of(buildings) };
}

/** The permissions that follow from a role or, for a display, from its having a view. */
export function permissionsIn({ role, view }: Pick<AccessRecord, 'role' | 'view'>): readonly Permission[] {
  return view === undefined ? permissionsOf(role ?? undefined) : VIEW_PERMISSIONS;
}

const accessDeltaSchema = z.object({
  /** The people concerned, each with the version that the change makes. */
  people: z.record(z.string(), z.number().int()),
  lost: z.array(z.string()),
  gained: z.array(z.string()),
  /**
   * `exact`: each person lost and gained exactly these buildings. `wider`: some people never had all of `lost`, so the change
   * cannot be reverted. `left_out`: the lists are too long for the event, so the database has to be asked.
   */
  lists: z.enum(['exact', 'wider', 'left_out']),
  /** Before and after; absent if unchanged. */
  role: z.tuple([roleSchema, roleSchema]).optional(),
  /** The value after the change; absent if unchanged. */
  disabled: z.boolean().optional(),
});
/** A change in the access of one or several people (rule R3). */
export type AccessDelta = z.infer<typeof accessDeltaSchema>;

/** The payload of an access event: a change, or in older events the whole access. */
export type AccessEvent = { delta: AccessDelta } | { whole: WholeAccess };

const accessBody = z.union([
  z.object({ delta: accessDeltaSchema }),
  z.object({ access: wholeAccessSchema }).transform(({ access }) => ({ whole: access })),
]);
const sessionsBody = z.object({ sessions: z.union([z.literal('all'), z.array(z.string())]) });

/**
 * Parses an access event; undefined if the payload was erased or has another shape, so that the database has to be
 * asked.
 */
export function parseAccess(row: { body: string | null }): AccessEvent | undefined {
  return row.body === null ? undefined : accessBody.safeParse(JSON.parse(row.body)).data;
}

/** Parses the ended sessions of an event. An unreadable payload ends all sessions of the person, to be safe. */
export function parseSessions(body: string | null): readonly string[] | 'all' {
  return (body === null ? undefined : sessionsBody.safeParse(JSON.parse(body)).data?.sessions) ?? 'all';
}

/** The version of a person's access after an event; undefined if the event does not concern the person. */
export function accessVersionFor(accessEvent: AccessEvent, userId: string): number | undefined {
  if ('delta' in accessEvent) return accessEvent.delta.people[userId];
  return accessEvent.whole.userId === userId ? accessEvent.whole.version : undefined;
}

/** Applies a change; undefined if the change is not enough to compute the result, so that the database has to be asked. */
export function applyAccessDelta(
  access: AccessRecord,
  delta: AccessDelta,
  version: number,
): AccessRecord | undefined {
  if (delta.lists === 'left_out' || access.view !== undefined) return undefined;
  const role = delta.role === undefined ? access.role : delta.role[1];
  const disabled = delta.disabled ?? access.disabled;
  const listed = listOf(access);
  const buildings = buildingsOf(role) ?? listed?.minus(delta.lost).plus(delta.gained);
  return buildings && { ...access, role, disabled, version, buildings };
}

/** The part of an access to which a change can be reverted; `buildings` are undefined if unknown. */
export type AccessState = { role: Role | null; buildings: BuildingSet | 'all' | undefined };

/** Reverts a change; `buildings` become undefined if the earlier ones cannot be computed. */
export function revertAccessDelta(after: AccessState, delta: AccessDelta): AccessState {
  const role = delta.role === undefined ? after.role : delta.role[0];
  const listed = delta.lists === 'exact' ? listOf(after) : undefined;
  return { role, buildings: buildingsOf(role) ?? listed?.minus(delta.gained).plus(delta.lost) };
}

/** The buildings that follow from the role alone; undefined if they are the assigned ones. */
function buildingsOf(role: Role | null): BuildingSet | 'all' | undefined {
  if (role === 'admin') return 'all';
  return role === null ? BuildingSet.empty : undefined;
}

/** The assigned buildings; undefined if the role hides them. */
function listOf({ role, buildings }: AccessState): BuildingSet | undefined {
  return buildings === 'all' || role === null ? undefined : buildings;
}
