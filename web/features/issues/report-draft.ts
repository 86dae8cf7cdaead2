import { writeStored } from '../../lib/storage.ts';

/** Where the unsent report of a person at a building is kept on this device. */
export function draftKeyOf(personId: string, buildingId: string): string {
  return `lintel.report.${personId}.${buildingId}`;
}

/** What was typed is thrown away. */
export function forgetDraft(personId: string, buildingId: string): void {
  writeStored('local', draftKeyOf(personId, buildingId), undefined);
}
