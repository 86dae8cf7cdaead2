import { z } from 'zod';
import { formatDate } from '#shared/dates.ts';
import { ROLE_LABELS } from '#shared/permissions.ts';
import { exportedList } from '../../kernel/exported-list.ts';
import { readMyBuildings } from '../locations/locations.queries.ts';
import { peopleForExport } from './users.queries.ts';

const PAGE = 1_000;

export const exportedLists = {
  people: exportedList({
    permission: 'view_users',
    columns: ['First name', 'Last name', 'Email', 'Role', 'Location access', 'Added', 'Deactivated'],
    filter: z.strictObject({ search: z.string().max(200).optional() }),
    async *pages({ services: { db }, actor, timeZone }, { search = '' }) {
      const names = new Map((await readMyBuildings(db, actor)).map(({ id, name }) => [id, name]));
      const needle = search.trim().toLowerCase();
      for await (const page of peopleForExport(db, PAGE)) {
        const found = page.filter(({ firstName, lastName, email }) =>
          `${firstName} ${lastName}\n${email}`.toLowerCase().includes(needle),
        );
        yield found.map((person) => [
          person.firstName,
          person.lastName,
          person.email,
          person.role === null ? null : ROLE_LABELS[person.role],
          person.role === 'admin' ? 'All' : person.buildings.map((id) => names.get(id) ?? '').join(', '),
          formatDate(person.createdAt, timeZone),
          person.deactivatedAt === null ? null : formatDate(person.deactivatedAt, timeZone),
        ]);
      }
    },
  }),
};
