import type { QueuedCommand } from '../../offline/types.ts';

/** Where an issue is reported at a building. */
export function reportFormPath(buildingId: string): string {
  return `/building-issues?building=${buildingId}&report=${buildingId}`;
}

/** Where a kept report is opened in its form, which takes everything from the report itself, of whichever version. */
export function reportPathOf({ form, input }: Pick<QueuedCommand, 'form' | 'input'>): string | undefined {
  const buildingId: unknown = Reflect.get(Object(input), 'buildingId');
  return form?.path ?? (typeof buildingId === 'string' ? reportFormPath(buildingId) : undefined);
}
