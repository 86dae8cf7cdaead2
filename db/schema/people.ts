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
import { PERSON_NAME, sortKeyOf } from './name-keys.ts';
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
    /** Set until the person has chosen a password; they cannot sign in before. */
    invitedAt: instant('invited_at'),
    /** Rises with every change of the row, of the role or of the building access. */
    version: integer('version').notNull().default(1),
    sortKey: sortKeyOf(PERSON_NAME),
  },
  (t) => [uniqueIndex('profiles_email_key').on(sql`lower(${t.email})`)],
);

/** Append-only: a person's newest row applies, the others are the history. */
export const userRoles = pgTable(
  'user_roles',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    /** Text, so that unknown values can be stored. A value that is no role gives no permission. */
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

/** Separate from `profiles`, so that reading people never reads a hash. */
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
    /** Stays the same while the token changes. */
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    /** Extended with use, up to the end derived from `createdAt` and the role. */
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    /** When the person last entered credentials in the session; null if an identity provider did not report it. */
    authenticatedAt: instant('authenticated_at'),
    /** Whether it began with a second factor, or at an identity provider, which itself decides about a second factor. */
    hasSecondFactor: boolean('has_second_factor').notNull().default(false),
    userAgent: text('user_agent').notNull().default(''),
    /** The network address from which the session began; empty for sessions older than this column. */
    address: text('address').notNull().default(''),
  },
  (t) => [index('sessions_user').on(t.userId)],
);

/** Tokens of sessions; several per session only while a token is being replaced (`tokens.ts`). */
export const sessionTokens = pgTable(
  'session_tokens',
  {
    /** SHA-256 of the cookie's token, hex, so that a leaked table is useless. */
    hash: text('hash').primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** The person's stored role when it was made; if that changes, the token is replaced. */
    role: text('role'),
    /** Whether the client has used it. */
    used: boolean('used').notNull(),
    /** Once the token is replaced: until when it is still accepted. */
    goodUntil: instant('good_until'),
    /** The key from which, together with the token itself, the successor is derived; useless without the token. */
    successorKey: text('successor_key'),
  },
  (t) => [index('session_tokens_session').on(t.sessionId)],
);

/** Codes of the set-up link of an empty installation. */
export const setupCodes = pgTable('setup_codes', {
  codeHash: text('code_hash').primaryKey(),
  createdAt: instant('created_at').notNull(),
});

/** Keys shared by all server processes, each made by the first that needed it. */
export const serverSecrets = pgTable('server_secrets', {
  name: text('name').primaryKey(),
  /** base64url. */
  secret: text('secret').notNull(),
});

/** When the next attempt is allowed after too many, per key. */
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
