import { createTestClient, type TestClient } from '../server/client.ts';
import type { TestServer } from '../server/server.ts';
import { createPerson, signInAs, type TestPerson } from './factories.ts';

/** Each mark is in every text of its kind, and nowhere else. */
export const MARKS = { title: 'qtitlez', description: 'qdescriptionz', comment: 'qcommentz', name: 'qnamez' };

export type MarkedPerson = { person: TestPerson; client: TestClient };

/** Creates three administrators whose names and addresses have the mark of names. */
export function createMarkedPeople(server: TestServer): Promise<MarkedPerson[]> {
  return Promise.all(
    [1, 2, 3].map(async (n) => {
      const person = await createPerson(server.services, {
        role: 'admin',
        firstName: `${MARKS.name} ${n}`,
        lastName: MARKS.name,
        email: `${MARKS.name}.${n}@example.com`,
      });
      return { person, client: createTestClient(server.url, await signInAs(server, person)) };
    }),
  );
}
