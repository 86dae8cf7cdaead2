import type { Page } from 'playwright-core';
import type { Document, DocumentPlace } from '#shared/features/documents/documents.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { WebSetting } from '../browser/web-setting.ts';
import { addFolder } from '../rows/documents.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '../rows/factories.ts';
import { createTestClient, type TestClient } from '../server/client.ts';
import { live } from './issues-screen.ts';

/** A building for one test with a discipline, a person who manages its documents and one who reads them. */
export type DocumentsSite = {
  site: TestBuilding;
  admin: TestPerson;
  viewer: TestPerson;
  /** The administrator's client. */
  client: TestClient;
  /** The top of the discipline, and its name. */
  fire: DocumentPlace;
  fireName: string;
  disciplineId: string;
  /** Makes a folder, at the top of the discipline unless a place is given, and returns its id. */
  add(name: string, place?: DocumentPlace): Promise<string>;
  /** The documents that the server has in a place, by name; at the top of the discipline unless a place is given. */
  stored(place?: DocumentPlace): Promise<Document[]>;
  /** `reading`: the address of the page for readers; `managing`: the address of the Document Management card. */
  reading(place?: DocumentPlace, query?: string): string;
  managing(place?: DocumentPlace, query?: string): string;
  /** Opens Document Management as the administrator, at the top of the discipline unless a place is given. */
  manage(place?: DocumentPlace, query?: string): Promise<Page>;
};

/** Makes a building for one test of the documents' screens. */
export async function createDocumentsSite({ server, open }: WebSetting): Promise<DocumentsSite> {
  const site = await createBuilding(server.services, { name: 'Harbour House' });
  const admin = await createPerson(server.services, { role: 'admin' });
  const viewer = await createPerson(server.services, { role: 'viewer', buildings: [site.id] });
  const client = createTestClient(server.url, await signInAs(server, admin));
  const disciplineId = uuidv7();
  const fireName = `Fire ${disciplineId.slice(-6)}`;
  const fire: DocumentPlace = { at: 'discipline', disciplineId };
  await client.documents.disciplines.add.mutate({ operationId: uuidv7(), id: disciplineId, name: fireName });
  const addressOf = (place: DocumentPlace | undefined, query: string) =>
    `building=${site.id}${place === undefined ? '' : folderIn(place)}${query}`;
  const managing = (place?: DocumentPlace, query = '') =>
    `/user-management?tab=documents&${addressOf(place, query)}`;
  return {
    ...{ site, admin, viewer, client, fire, fireName, disciplineId, managing },
    add: (name, place = fire) => addFolder(client, { buildingId: site.id, name, place }),
    async stored(place = fire) {
      return (await client.documents.list.query({ buildingId: site.id, place })).data.rows;
    },
    reading: (place, query = '') => `/documents?${addressOf(place, query)}`,
    async manage(place = fire, query) {
      const page = await open(admin, managing(place, query));
      await live(page);
      return page;
    },
  };
}

function folderIn(place: DocumentPlace): string {
  if (place.at === 'building') return '';
  return `&folder=${place.at === 'folder' ? place.folderId : `discipline_${place.disciplineId ?? 'general'}`}`;
}

/** The place inside a folder. */
export const inside = (folderId: string): DocumentPlace => ({ at: 'folder', folderId });
