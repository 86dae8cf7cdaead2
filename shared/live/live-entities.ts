import type { z } from 'zod';
import { liveEntities as apiKeys } from '../features/api-keys/api-keys.live.ts';
import { liveEntities as assets } from '../features/assets/assets.live.ts';
import { liveEntities as checks } from '../features/checks/checks.live.ts';
import { liveEntities as disciplines } from '../features/disciplines/disciplines.live.ts';
import { liveEntities as displays } from '../features/displays/displays.live.ts';
import { liveEntities as documents } from '../features/documents/documents.live.ts';
import { liveEntities as issues } from '../features/issues/issues.live.ts';
import { liveEntities as locations } from '../features/locations/locations.live.ts';
import { liveEntities as photos } from '../features/photos/photos.live.ts';
import { liveEntities as pulse } from '../features/pulse/pulse.live.ts';
import { liveEntities as tasks } from '../features/tasks/tasks.live.ts';
import { liveEntities as users } from '../features/users/users.live.ts';
import { liveEntities as webhooks } from '../features/webhooks/webhooks.live.ts';
import type { Permission } from '../permissions.ts';

/** All live entities, by name; each feature declares its own. */
export const liveEntities = {
  ...issues,
  ...assets,
  ...locations,
  ...users,
  ...disciplines,
  ...displays,
  ...apiKeys,
  ...webhooks,
  ...documents,
  ...photos,
  ...checks,
  ...tasks,
  ...pulse,
};
export type LiveEntity = keyof typeof liveEntities;
export type LiveRow<E extends LiveEntity> = z.infer<(typeof liveEntities)[E]['schema']>;

/** The entities whose rows leave every list when their building is archived, and return when it is restored. */
export type EntityInBuilding = {
  [E in LiveEntity]: (typeof liveEntities)[E] extends { permissionInBuilding: Permission } ? E : never;
}[LiveEntity];
// The cast: Object.keys loses the type of the keys.
export const ENTITIES_IN_BUILDINGS = (Object.keys(liveEntities) as LiveEntity[]).filter(
  (entity): entity is EntityInBuilding => 'permissionInBuilding' in liveEntities[entity],
);
