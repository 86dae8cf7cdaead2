import type { Permission } from './permissions.ts';

/**
 * The two ways in which a display on a wall shows rows. `manager`: with titles, and the names of people who acknowledged
 * issues. `public`, for corridors: building, priority, state and times, without text that a person typed about a fault and
 * without names of people. The fields that a view shows are declared beside the row's audience (`project`, `live-entity.ts`).
 */
export const VIEWS = ['manager', 'public'] as const;
export type View = (typeof VIEWS)[number];

/** The permissions of every display. They decide which rows it may receive; its view then narrows each row. */
export const VIEW_PERMISSIONS: readonly Permission[] = ['view_dashboard', 'view_building_issues'];
