import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { id, instant } from './columns.ts';
import { nameKeyOf, searchKeyOf, sortKeyOf } from './name-keys.ts';
import { profiles } from './people.ts';

/** One-time links for an invitation or a new password. The holder of the token chooses a password, once. */
export const accountLinks = pgTable(
  'account_links',
  {
    /** SHA-256 of the link's token, hex, so that a leaked table is useless. */
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    kind: text('kind').notNull(),
    /** The administrator who made it; null if the person asked for it by mail. */
    madeBy: uuid('made_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('account_links_user').on(t.userId),
    check('account_links_kind', sql`${t.kind} in ('invite', 'reset')`),
  ],
);

/** Notices about a person's own account, until dismissed. */
export const accountNotices = pgTable(
  'account_notices',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    kind: text('kind').notNull(),
    at: instant('at').notNull(),
    /** The administrator named in the notice, such as the maker of a link. */
    byId: uuid('by_id').references(() => profiles.id),
    address: text('address').notNull(),
    userAgent: text('user_agent').notNull(),
    /** The session that caused the notice. That session neither shows nor dismisses it. */
    sessionId: text('session_id'),
  },
  (t) => [
    index('account_notices_user').on(t.userId, t.at),
    check(
      'account_notices_kind',
      sql`${t.kind} in ('link_made', 'password_changed', 'new_device', 'second_factor_added', 'second_factor_removed', 'second_factor_failed', 'recovery_code_used', 'recovery_codes_made', 'provider_allowed', 'provider_linked', 'passkey_added', 'passkey_removed', 'api_key_created', 'webhook_added', 'webhook_off')`,
    ),
  ],
);

/** Categories of building documents. A removed category stays as an inactive row, for the documents that have it. */
export const disciplines = pgTable(
  'disciplines',
  {
    id: id(),
    name: text('name').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: instant('created_at').notNull(),
    version: integer('version').notNull().default(1),
    nameKey: nameKeyOf('name'),
    searchKey: searchKeyOf('name'),
    sortKey: sortKeyOf('name'),
  },
  (t) => [uniqueIndex('disciplines_name_key').on(sql`${t.nameKey} collate "C"`)],
);
