import { and, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { accountLinks } from '#db/schema/accounts.ts';
import { profiles, userLocationAccess, userRoles } from '#db/schema/people.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import type { Person } from '#shared/features/users/users.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { ROLE_LABELS, type Role } from '#shared/permissions.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { plural } from '#shared/text/plural.ts';
import { findPerson, personColumns, toPerson } from '../../access/people.ts';
import { makeFirstLinks } from '../../accounts/account-links.ts';
import { assertStillManages } from '../../accounts/still-manages.ts';
import type { Command } from '../../kernel/commands.ts';
import { forEachYielding, mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import {
  type Compared,
  firstLines,
  type Importer,
  matcher,
  type PersonLink,
  parts,
  READ_AT_ONCE,
  WRITE_AT_ONCE,
} from './import-plan.ts';
import { buildingFinder, type FindBuilding } from './known-places.ts';
import type { ImportRows } from './row-readers.ts';

type Wanted = ImportRows['people'] & { buildingIds: string[] };
type Plan = (Wanted & { role: Role })[];

const ROLE_NAMES = Object.values(ROLE_LABELS).join(', ');

/** Imports people with role and buildings as invitations: they have yet to choose a password. */
export const peopleImporter: Importer<ImportRows['people'], Plan> = {
  async resolve(db, actor, rows, { columns }) {
    const byEmail = await peopleWith(
      db,
      rows.map(({ row }) => row.email),
    );
    const find = await buildingFinder(db, actor);
    const metBefore = firstLines();
    const isHere = matcher<Person>(columns);
    const added = await mapYielding(rows, (looked) => {
      const { row, line, fault } = looked;
      const { role } = row;
      // Exports write "All" for administrators, who see every building without having any assigned.
      const all = role === 'admin' && row.buildings.every((name) => nameKey(name) === 'all');
      const ids = (all ? [] : row.buildings).flatMap((name) =>
        idOf(find, name, (text) => fault('Buildings', text)),
      );
      const wanted = { ...row, buildingIds: [...new Set(ids)] };
      const before = metBefore(row.email, line);
      const person = byEmail.get(row.email);
      if (before !== undefined) fault('Email', importMessages.twice(before));
      else if (person !== undefined) {
        if (person.deactivatedAt !== null) fault('Email', userMessages.emailTaken);
        else isHere(looked, [person], () => comparedWith(person, wanted));
        return [];
      }
      if (role === null) fault('Role', importMessages.notOneOf(ROLE_NAMES));
      return role === null ? [] : [{ ...wanted, role }];
    });
    return added.flat();
  },

  async write(command, plan, progress) {
    const { tx, actor, now } = command;
    await assertStillManages(command);
    const made = plan.map((row) => ({ ...row, id: uuidv7() }));
    const links: PersonLink[] = [];
    let done = 0;
    for (const part of parts(made, WRITE_AT_ONCE)) {
      await tx.insert(profiles).values(
        part.map(({ id, email, firstName, lastName }) => ({
          id,
          email,
          firstName,
          lastName,
          createdAt: now,
          invitedAt: now,
        })),
      );
      await tx
        .insert(userRoles)
        .values(
          part.map(({ id, role }) => ({ userId: id, role, assignedAt: now, assignedBy: actor.userId })),
        );
      const given = part.flatMap(({ id, buildingIds }) =>
        buildingIds.map((buildingId) => ({
          userId: id,
          buildingId,
          grantedAt: now,
          grantedBy: actor.userId,
        })),
      );
      for (const some of parts(given, 4 * WRITE_AT_ONCE)) await tx.insert(userLocationAccess).values(some);
      links.push(...(await linksFor(command, part)));
      done += part.length;
      await progress(done);
    }
    const [first] = made;
    if (first === undefined) return links;
    const { id, email, firstName, lastName, role, buildingIds } = first;
    await command.recordBulk({
      entity: 'person',
      row: {
        id,
        email,
        firstName,
        lastName,
        role,
        buildings: buildingIds,
        createdAt: now,
        deactivatedAt: null,
        invitedAt: now,
        version: 1,
      },
    });
    return links;
  },
};

function comparedWith(here: Person, { firstName, lastName, role, buildingIds }: Wanted): Compared[] {
  const given = new Set(here.buildings);
  const sameBuildings = given.size === buildingIds.length && buildingIds.every((id) => given.has(id));
  return [
    { column: 'First Name', same: nameKey(here.firstName) === nameKey(firstName), here: here.firstName },
    { column: 'Last Name', same: nameKey(here.lastName) === nameKey(lastName), here: here.lastName },
    { column: 'Role', same: here.role === role, here: here.role === null ? '' : ROLE_LABELS[here.role] },
    {
      column: 'Buildings',
      same: here.role === 'admin' || sameBuildings,
      here: plural(given.size, 'building'),
    },
  ];
}

/** Reads people by their e-mail addresses in lower case. */
async function peopleWith(db: Queryable, emails: readonly string[]): Promise<Map<string, Person>> {
  const found = new Map<string, Person>();
  for (const some of parts([...new Set(emails)], READ_AT_ONCE)) {
    const rows = await db
      .select(personColumns(db))
      .from(profiles)
      .where(inArray(sql`lower(${profiles.email})`, some));
    await forEachYielding(rows, (row) => found.set(row.email.toLowerCase(), toPerson(row)));
  }
  return found;
}

type Invited = { id: string; email: string; firstName: string; lastName: string };

async function linksFor({ tx, actor, now }: Command, people: readonly Invited[]): Promise<PersonLink[]> {
  const ids = people.map(({ id }) => id);
  const tokens = await makeFirstLinks(tx, ids, actor.userId, new Date(now));
  return people.map(({ email, firstName, lastName }, at) => ({
    email,
    firstName,
    lastName,
    token: tokens[at] ?? '',
  }));
}

/**
 * Makes new links for people of a file who have not chosen a password yet, and invalidates their earlier links. For
 * links lost before they were shown, and for mails that the mail server did not accept.
 */
export async function renewLinks(command: Command, emails: readonly string[]): Promise<PersonLink[]> {
  const { tx } = command;
  await assertStillManages(command);
  const links: PersonLink[] = [];
  let one: string | undefined;
  for (const part of parts(emails, WRITE_AT_ONCE)) {
    const waiting = await tx
      .select({
        id: profiles.id,
        email: profiles.email,
        firstName: profiles.firstName,
        lastName: profiles.lastName,
      })
      .from(profiles)
      .where(
        and(
          inArray(sql`lower(${profiles.email})`, [...part]),
          isNotNull(profiles.invitedAt),
          isNull(profiles.deactivatedAt),
        ),
      )
      .orderBy(profiles.id)
      .for('no key update');
    if (waiting.length === 0) continue;
    const ids = waiting.map(({ id }) => id);
    await tx.delete(accountLinks).where(inArray(accountLinks.userId, ids));
    links.push(...(await linksFor(command, waiting)));
    one = ids[0];
  }
  const row = one === undefined ? undefined : await findPerson(tx, one);
  if (row !== undefined) await command.recordBulk({ entity: 'person', row });
  return links;
}

/** Finds the building of one name in the cell, which may be preceded by its client's name and a slash. */
function idOf(find: FindBuilding, name: string, fault: (text: string) => void): string[] {
  const told: string[] = [];
  const look = (client: string, building: string) =>
    find({ client, building }, (_column, text) => told.push(text))?.id;
  // The whole cell is tried first, because names of buildings and clients may contain slashes.
  const whole = look('', name);
  if (whole !== undefined) return [whole];
  const found = new Set<string>();
  for (const { index } of name.matchAll(/\//g)) {
    const client = name.slice(0, index).trim();
    const id = client === '' ? undefined : look(client, name.slice(index + 1).trim());
    if (id !== undefined) found.add(id);
  }
  if (found.size === 1) return [...found];
  fault(found.size > 1 ? importMessages.buildingUnclear(name) : (told[1] ?? told[0] ?? ''));
  return [];
}
