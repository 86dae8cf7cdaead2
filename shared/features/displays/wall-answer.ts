import type { Wall } from './displays.ts';
import type { WallPlace, WallPulse } from './wall.ts';

/**
 * A building that a display shows, with its figures (`WallPlace`, `WallPulse`). A list, not an object: with field names, the
 * answer for 2,000 buildings takes twice the time to build, to send, and to read on an old screen.
 */
export type WallBuilding = [
  id: string,
  name: string,
  version: number,
  pulseVersion: number,
  low: number,
  medium: number,
  high: number,
  critical: number,
  overdueIssues: number,
  day: string,
  checksDue: number,
  checksDone: number,
  checksMissed: number,
  compliant: number,
  nonCompliant: number,
  overdueTasks: number,
  dueThisWeek: number,
];

/** The answer of `displays.wall` as it is sent. */
export type WallAnswer = Omit<Wall, 'places' | 'pulses'> & { buildings: WallBuilding[] };

/** Returns what a display shows, from the answer that it received. */
export function wallOf({ buildings, ...rest }: WallAnswer): Wall {
  return { ...rest, places: buildings.map(placeOf), pulses: buildings.map(pulseOf) };
}

/** `archivedAt` is always null, because displays show no archived buildings. */
function placeOf([id, name, version]: WallBuilding): WallPlace {
  return { id, name, archivedAt: null, version };
}

function pulseOf(building: WallBuilding): WallPulse {
  const [id, , , version, low, medium, high, critical, overdueIssues, day, due, done, missed, ...tasks] =
    building;
  const [compliant, nonCompliant, overdue, dueThisWeek] = tasks;
  return {
    id,
    buildingId: id,
    openIssues: { low, medium, high, critical },
    overdueIssues,
    checks: { day, due, done, missed },
    tasks: { compliant, nonCompliant, overdue, dueThisWeek },
    version,
  };
}
