import { z } from 'zod';
import { dayOf } from '#shared/dates.ts';
import { ROLE_LABELS } from '#shared/permissions.ts';
import { formatCellList } from '#shared/text/cell-list.ts';
import { searchKey } from '#shared/text/name-keys.ts';
import { mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { EXPORT_ROWS, exportedList } from '../../kernel/lists/exported-list.ts';
import { buildingReferences } from '../locations/place-cells.queries.ts';
import { peopleForExport } from './users.queries.ts';

export const exportedLists = {
  people: exportedList({
    permission: 'view_users',
    // The columns that the import reads, and some that it ignores.
    columns: ['First Name', 'Last Name', 'Email', 'Role', 'Buildings', 'Added', 'Deactivated'],
    filter: z.strictObject({ search: z.string().max(200).optional() }),
    async *pages({ services: { db }, actor, timeZone }, { search = '' }) {
      const references = await buildingReferences(db, actor);
      const places = new Map([...references.keys()].map((id, place) => [id, place]));
      const texts = [...references.values()];
      const needle = searchKey(search);
      for await (const page of peopleForExport(db, EXPORT_ROWS)) {
        const found = page.filter(({ firstName, lastName, email }) =>
          searchKey(`${firstName} ${lastName}\n${email}`).includes(needle),
        );
        yield await mapYielding(found, (person) => [
          person.firstName,
          person.lastName,
          person.email,
          person.role === null ? null : ROLE_LABELS[person.role],
          person.role === 'admin'
            ? 'All'
            : formatCellList(
                // Sorts numbers instead of texts, because a person may have thousands of buildings.
                person.buildings
                  .flatMap((id) => places.get(id) ?? [])
                  .sort((a, b) => a - b)
                  .flatMap((place) => texts[place] ?? []),
              ),
          dayOf(person.createdAt, timeZone),
          person.deactivatedAt === null ? null : dayOf(person.deactivatedAt, timeZone),
        ]);
      }
    },
  }),
};
