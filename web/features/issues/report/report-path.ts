import type { QueuedCommand } from '../../../offline/types.ts';

/** Returns the path of the report form of a building. */
export function reportFormPath(buildingId: string): string {
  return `/building-issues?building=${buildingId}&report=${buildingId}`;
}

/**
 * Returns the path at which a queued report opens in its form. The form takes its values from the report itself,
 * whichever version stored it.
 */
export function reportPathOf({ form, input }: Pick<QueuedCommand, 'form' | 'input'>): string | undefined {
  const buildingId: unknown = Reflect.get(Object(input), 'buildingId');
  return form?.path ?? (typeof buildingId === 'string' ? reportFormPath(buildingId) : undefined);
}
