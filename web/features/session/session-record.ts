import type { Me } from '#shared/features/users/session.ts';
import { type Permission, parseRole, permissionsOf } from '#shared/permissions.ts';
import { cachesOf, readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'lintel.session';
/**
 * Prefix of a cache whose existence marks that a person's record was removed, until they sign in again. After a
 * crash, a browser may restore local storage as it was seconds before, with the record in it.
 */
const REMOVED = 'lintel-removed-';

/**
 * The part of a session that scripts may know, without secrets: the session itself is an HttpOnly cookie. Other tabs
 * read from it which person is signed in, and the app uses it to open without a network.
 */
export type SessionRecord = {
  personId: string;
  role: string | null;
  expiresAt: string;
  email: string;
  firstName: string;
  lastName: string;
  /** Empty in a record of an earlier version. */
  timeZone: string;
};

/** Returns the session record of the signed-in person. */
export function recordOf(me: Me): SessionRecord {
  const { id, role, sessionExpiresAt, email, firstName, lastName, timeZone } = me;
  return { personId: id, role, expiresAt: sessionExpiresAt, email, firstName, lastName, timeZone };
}

/** Stores the session record; undefined removes it. */
export function writeSessionRecord(record: SessionRecord | undefined): void {
  const text = record === undefined ? undefined : JSON.stringify(record);
  const { personId } = record ?? readSessionRecord() ?? {};
  if (personId !== undefined) markRemoved(personId, record === undefined);
  // Writing an equal value would still notify every other tab.
  if (readStored('local', KEY) !== text) writeStored('local', KEY, text);
}

function markRemoved(personId: string, removed: boolean): void {
  const name = REMOVED + personId;
  // Without the marker, a restored record is simply not detected.
  (removed ? cachesOf()?.open(name) : cachesOf()?.delete(name))?.catch(() => undefined);
}

/**
 * Resolves with whether the stored record had been removed and was restored; undefined without a record or without the
 * Cache API.
 */
export function recordCameBack(): Promise<boolean> | undefined {
  const record = readSessionRecord();
  return record && cachesOf()?.has(REMOVED + record.personId);
}

/** Returns the stored record; undefined when there is none or its format is unknown. */
export function readSessionRecord(): SessionRecord | undefined {
  return recordIn(readStored('local', KEY) ?? null);
}

/** Stores the expiry of a renewed session. */
export function renewSessionRecord(expiresAt: string): void {
  const record = readSessionRecord();
  if (record !== undefined) writeSessionRecord({ ...record, expiresAt });
}

/**
 * Permissions that remain when the record has expired by this device's clock, which may be wrong: recording checks
 * only.
 */
const PAST_EXPIRY: readonly Permission[] = ['view_operative_tasks', 'create_operative_tasks'];

/**
 * Builds the person from the record, for a page that opens without the server.
 * @param now Unix ms
 * @returns undefined when the record has expired and the person may not record checks
 */
export function personIn(record: SessionRecord, now: number): { me: Me; expired: boolean } | undefined {
  const me = asRemembered(record);
  if (Date.parse(record.expiresAt) > now) return { me, expired: false };
  const permissions = me.permissions.filter((permission) => PAST_EXPIRY.includes(permission));
  return permissions.includes('create_operative_tasks')
    ? { me: { ...me, permissions }, expired: true }
    : undefined;
}

function asRemembered(record: SessionRecord): Me {
  const role = record.role === null ? undefined : parseRole(record.role);
  const { personId, email, firstName, lastName, expiresAt, timeZone } = record;
  return {
    id: personId,
    email,
    firstName,
    lastName,
    role: role ?? null,
    permissions: [...permissionsOf(role)],
    // Offline, the visible buildings are those of the stored copies.
    buildings: [],
    accessVersion: 0,
    sessionExpiresAt: expiresAt,
    timeZone,
    setupMode: false,
    insecureHttp: false,
    diskLow: false,
    backupProblem: null,
  };
}

/**
 * Calls back when another tab signs a person in (with their id) or out (undefined).
 * @returns a function that stops watching
 */
export function watchSessionRecord(onChange: (personId: string | undefined) => void): () => void {
  function onStorage(event: StorageEvent) {
    // A null key means that the whole storage was cleared.
    if (event.key === KEY || event.key === null)
      onChange(event.key === null ? undefined : recordIn(event.newValue)?.personId);
  }
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

function recordIn(text: string | null): SessionRecord | undefined {
  if (text === null) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null) return undefined;
    const field = (name: keyof SessionRecord) => Reflect.get(found, name) as unknown;
    const [personId, expiresAt, role] = [field('personId'), field('expiresAt'), field('role')];
    if (typeof personId !== 'string' || typeof expiresAt !== 'string') return undefined;
    const wordIn = (name: 'email' | 'firstName' | 'lastName' | 'timeZone') => {
      const value = field(name);
      return typeof value === 'string' ? value : '';
    };
    return {
      personId,
      expiresAt,
      role: typeof role === 'string' ? role : null,
      email: wordIn('email'),
      firstName: wordIn('firstName'),
      lastName: wordIn('lastName'),
      timeZone: wordIn('timeZone'),
    };
  } catch {
    // Foreign data or another version: the server knows who is signed in.
    return undefined;
  }
}
