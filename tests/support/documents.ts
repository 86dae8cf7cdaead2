import type { DocumentPlace } from '#shared/features/documents.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { TestClient } from './client.ts';

export const GENERAL_PLACE = { at: 'discipline', disciplineId: null } as const satisfies DocumentPlace;

/** Makes a folder and returns its id; at the top of General unless a place is given. */
export async function addFolder(
  client: TestClient,
  { buildingId, name, place }: { buildingId: string; name?: string; place?: DocumentPlace },
): Promise<string> {
  const id = uuidv7();
  const folder = { buildingId, place: place ?? GENERAL_PLACE, name: name ?? `Folder ${id}` };
  await client.documents.createFolder.mutate({ operationId: uuidv7(), id, ...folder });
  return id;
}
