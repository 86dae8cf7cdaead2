import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { documents } from '#db/schema/documents.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { buildings } from '#db/schema/places.ts';
import { type Given, statement } from '#db/statement.ts';
import { CHECK_PERMISSIONS } from '#shared/features/checks/definition.ts';
import type { PresencePlace } from '#shared/features/presence/presence.ts';
import type { PresenceKind } from '#shared/features/presence/presence.vocabulary.ts';
import type { Permission } from '#shared/permissions.ts';
import type { Actor, Sight } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import type { NotedPlace } from '../../live/presence/presence.ts';

type Subject = Given<{ id: string; viewerId: string }>;

const selectIssue = statement((db, { id, viewerId }: Subject, sight: Sight) =>
  db
    .select({ id: buildingIssues.id, buildingId: buildingIssues.buildingId })
    .from(buildingIssues)
    .where(and(eq(buildingIssues.id, id), visibleTo({ viewerId, sight }, buildingIssues.buildingId))),
);
const selectBuilding = statement((db, { id, viewerId }: Subject, sight: Sight) =>
  db
    .select({ id: buildings.id, buildingId: buildings.id })
    .from(buildings)
    .where(and(eq(buildings.id, id), visibleTo({ viewerId, sight }, buildings.id))),
);
const selectDocument = statement((db, { id, viewerId }: Subject, sight: Sight) =>
  db
    .select({ id: documents.id, buildingId: documents.buildingId })
    .from(documents)
    .where(
      and(
        eq(documents.id, id),
        eq(documents.isFolder, false),
        visibleTo({ viewerId, sight }, documents.buildingId),
      ),
    ),
);

/** For each kind: the permission to be present, the permission to see presence, and the query that finds a subject. */
const SUBJECTS: Readonly<
  Record<PresenceKind, { mayBeThere: Permission; mayKnow: Permission; select: typeof selectIssue }>
> = {
  issue: { mayBeThere: 'view_building_issues', mayKnow: 'view_building_issues', select: selectIssue },
  check: { mayBeThere: CHECK_PERMISSIONS.record, mayKnow: CHECK_PERMISSIONS.view, select: selectBuilding },
  document: { mayBeThere: 'view_logbook', mayKnow: 'view_logbook', select: selectDocument },
};

/**
 * Finds a subject, with the audience that may know who is present at it.
 * @returns undefined if the subject does not exist, or if this person may not see it or work at it
 */
export async function findPlace(
  db: Queryable,
  { viewerId, sight, permissions }: Actor,
  place: PresencePlace,
): Promise<NotedPlace | undefined> {
  const { kind, id } = place;
  const { mayBeThere, mayKnow, select } = SUBJECTS[kind];
  if (!permissions.includes(mayBeThere)) return undefined;
  const [found] = await select(db, { id, viewerId }, sight);
  return (
    found && {
      kind,
      // As stored: the same id may be written in several ways.
      id: found.id,
      part: ('part' in place ? place.part : undefined) ?? null,
      audience: { permission: mayKnow, buildings: [found.buildingId] },
    }
  );
}
