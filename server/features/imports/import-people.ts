import { and, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { accountLinks } from '#db/schema/accounts.ts';
import { profiles, userLocationAccess, userRoles } from '#db/schema/people.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { userMessages } from '#shared/features/users-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { findPerson } from '../../access/people.ts';
import { makeFirstLinks } from '../../accounts/account-links.ts';
import { holdStillManages } from '../../accounts/still-manages.ts';
import type { Command } from '../../kernel/commands.ts';
import { mapYielding } from '../../kernel/yield-to-event-loop.ts';
import { firstLines, type Importer, type PersonLink, parts, WRITE_AT_ONCE } from './import-plan.ts';
import { buildingFinder, type FindBuilding } from './known-places.ts';
import type { ImportRows } from './row-readers.ts';

type Plan = (ImportRows['people'] & { buildingIds: string[] })[];

/** Imports people with role and buildings as invitations: they have yet to choose a password. */
export const peopleImporter: Importer<ImportRows['people'], Plan> = {
  async resolve(db, actor, rows) {
    const present = await db.select({ email: sql<string>`lower(${profiles.email})` }).from(profiles);
    const taken = new Set(present.map(({ email }) => email));
    const find = await buildingFinder(db, actor);
    const metBefore = firstLines();
    return mapYielding(rows, ({ row, line, fault }) => {
      const before = metBefore(row.email, line);
      if (before !== undefined) fault('Email', importMessages.twice(before));
      else if (taken.has(row.email)) fault('Email', userMessages.emailTaken);
      const ids = row.buildings.flatMap((name) => idOf(find, name, (text) => fault('Buildings', text)));
      return { ...row, buildingIds: [...new Set(ids)] };
    });
  },

  async write(command, plan, progress) {
    const { tx, actor, now } = command;
    await holdStillManages(command);
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
 * Makes new links for people of a file who have not chosen a password yet, and invalidates their earlier ones. For
 * links lost before they were shown, and for mails that were not accepted.
 */
export async function remakeLinks(command: Command, emails: readonly string[]): Promise<PersonLink[]> {
  const { tx } = command;
  await holdStillManages(command);
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
  const slash = name.indexOf('/');
  let told = '';
  // Tried first as a whole, because a building's own name may contain a slash.
  const whole = find({ client: '', building: name }, (_column, text) => {
    told = text;
  });
  if (whole !== null) return [whole.id];
  const client = name.slice(0, slash).trim();
  if (slash < 0 || client === '') {
    fault(told);
    return [];
  }
  const named = { client, building: name.slice(slash + 1).trim() };
  const found = find(named, (_column, text) => fault(text));
  return found === null ? [] : [found.id];
}
