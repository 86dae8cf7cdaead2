import type { Wall } from '#shared/features/displays/displays.ts';
import type { WallAnswer } from '#shared/features/displays/wall-answer.ts';

/** Returns the answer that a display would read as this wall: the reverse of `wallOf`. */
export function wallAnswerOf({ places, pulses, ...rest }: Wall): WallAnswer {
  const byId = new Map(pulses.map((pulse) => [pulse.id, pulse]));
  return {
    ...rest,
    buildings: places.map(({ id, name, version }) => {
      const pulse = byId.get(id);
      if (pulse === undefined) throw new Error(`${name} has no figures`);
      const { openIssues, overdueIssues, checks, tasks } = pulse;
      return [
        ...([id, name, version, pulse.version] as const),
        ...([
          openIssues.low,
          openIssues.medium,
          openIssues.high,
          openIssues.critical,
          overdueIssues,
        ] as const),
        ...([checks.day, checks.due, checks.done, checks.missed] as const),
        ...([tasks.compliant, tasks.nonCompliant, tasks.overdue, tasks.dueThisWeek] as const),
      ];
    }),
  };
}
