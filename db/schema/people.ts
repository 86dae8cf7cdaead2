import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { id, instant } from './columns.ts';
import { buildings } from './places.ts';

export const profiles = pgTable(
  'profiles',
  {
    id: id(),
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    createdAt: instant('created_at').notNull(),
    deactivatedAt: instant('deactivated_at'),
    /** Set while the person has not yet chosen a password: they cannot sign in. */
    invitedAt: instant('invited_at'),
    /** Rises with every change of the row itself, of the role or of the building access. */
    version: integer('version').notNull().default(1),
  },
  (t) => [uniqueIndex('profiles_email_key').on(sql`lower(${t.email})`)],
);

/** Append only: the newest row of a person counts, the others are the history. */
export const userRoles = pgTable(
  'user_roles',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    /** Text, so that a value from elsewhere can be stored; one that is not a role gives no permission. */
    role: text('role').notNull(),
    assignedAt: instant('assigned_at').notNull(),
    assignedBy: uuid('assigned_by').references(() => profiles.id),
  },
  (t) => [index('user_roles_latest').on(t.userId, t.assignedAt.desc(), t.id.desc())],
);

export const userLocationAccess = pgTable(
  'user_location_access',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    buildingId: uuid('location_id')
      .notNull()
      .references(() => buildings.id),
    grantedAt: instant('granted_at').notNull(),
    grantedBy: uuid('granted_by').references(() => profiles.id),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.buildingId] }),
    index('user_location_access_building').on(t.buildingId),
  ],
);

/** Apart from `profiles`, so that reading people never touches a hash. */
export const credentials = pgTable('credentials', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => profiles.id),
  passwordHash: text('password_hash').notNull(),
  changedAt: instant('changed_at').notNull(),
});

export const sessions = pgTable(
  'sessions',
  {
    /** Stays while the token changes. */
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    /** Slides with use, up to an end that is reckoned from `createdAt` and the role. */
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    userAgent: text('user_agent').notNull().default(''),
    /** Where it was begun; empty for those from before this was kept. */
    address: text('address').notNull().default(''),
  },
  (t) => [index('sessions_user').on(t.userId)],
);

/** What opens a session: more than one only while a token is being replaced (`tokens.ts`). */
export const sessionTokens = pgTable(
  'session_tokens',
  {
    /** SHA-256 of the cookie's token, hex: a leaked table opens nothing. */
    hash: text('hash').primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** The person's stored role when it was made: with another one it is replaced. */
    role: text('role'),
    /** Has it come back from the client? */
    used: boolean('used').notNull(),
    /** Set once it was replaced. */
    goodUntil: instant('good_until'),
    /** With the token itself it makes the next one; alone it is worth nothing. */
    successorKey: text('successor_key'),
  },
  (t) => [index('session_tokens_session').on(t.sessionId)],
);

/** One-time codes: the set-up link of an empty installation. */
export const setupCodes = pgTable('setup_codes', {
  codeHash: text('code_hash').primaryKey(),
  createdAt: instant('created_at').notNull(),
});

/** Keys that all server processes share, each made by the first that needed it. */
export const serverSecrets = pgTable('server_secrets', {
  name: text('name').primaryKey(),
  /** base64url */
  secret: text('secret').notNull(),
});

/** Until when the next attempt is not looked at, where there were too many. */
export const attemptSpacings = pgTable('attempt_spacings', {
  key: text('key').primaryKey(),
  freeAt: instant('free_at').notNull(),
});

/** Counted attempts per key and window, shared by all server processes. */
export const attempts = pgTable(
  'attempts',
  {
    key: text('key').notNull(),
    windowStart: instant('window_start').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.key, t.windowStart] }), check('attempts_count', sql`${t.count} > 0`)],
);
