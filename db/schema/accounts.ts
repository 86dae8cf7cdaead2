import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { id, instant } from './columns.ts';
import { profiles } from './people.ts';

/** One-time links: an invitation, or a new password. Whoever has the token chooses the password, once. */
export const accountLinks = pgTable(
  'account_links',
  {
    /** SHA-256 of the link's token, hex: a leaked table opens nothing. */
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    kind: text('kind').notNull(),
    /** The administrator who made it; null for one that the person asked for by mail. */
    madeBy: uuid('made_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('account_links_user').on(t.userId),
    check('account_links_kind', sql`${t.kind} in ('invite', 'reset')`),
  ],
);

/** What a person is told of their own account, until they dismiss it. */
export const accountNotices = pgTable(
  'account_notices',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    kind: text('kind').notNull(),
    at: instant('at').notNull(),
    /** The administrator in it, as a link's maker. */
    byId: uuid('by_id').references(() => profiles.id),
    address: text('address').notNull(),
    userAgent: text('user_agent').notNull(),
    /** The session that did it: it knows, and must not be the one to dismiss it. */
    sessionId: text('session_id'),
  },
  (t) => [
    index('account_notices_user').on(t.userId, t.at),
    check('account_notices_kind', sql`${t.kind} in ('link_made', 'password_changed', 'new_device')`),
  ],
);

/** What building documents are grouped by. One that is removed stays, inactive, for the documents that have it. */
export const disciplines = pgTable(
  'disciplines',
  {
    id: id(),
    name: text('name').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: instant('created_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [uniqueIndex('disciplines_name_key').on(sql`lower(${t.name})`)],
);
