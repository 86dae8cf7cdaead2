import type { Permission } from './permissions.ts';

/**
 * The two ways in which a display on a wall shows rows. `manager`: titles, and who has acknowledged what. `public`,
 * for corridors: building, priority, state and times, without any text that a person typed about a fault and without
 * the name of a person. What a view shows of a row is declared beside the row's audience (`project` in `live-entity.ts`).
 */
export const VIEWS = ['manager', 'public'] as const;
export type View = (typeof VIEWS)[number];

/** What a display may receive at all, in either view, before its view narrows each row. It may change nothing. */
export const VIEW_PERMISSIONS: readonly Permission[] = ['view_dashboard', 'view_building_issues'];
