import type { Me } from '#shared/features/session.ts';
import { type Permission, parseRole, permissionsOf } from '#shared/permissions.ts';
import { cachesOf, readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'lintel.session';
/**
 * The mark that a person's record was removed is that the cache of this name is there, until they come in again: a browser
 * that is killed writes back local storage of some seconds before, with the record in it.
 */
const REMOVED = 'lintel-removed-';

/**
 * What this browser may know of a session: no secrets. The session itself is a cookie that no script can read. By it
 * other tabs learn who is signed in, and the app opens for the same person without a network.
 */
export type SessionRecord = {
  personId: string;
  role: string | null;
  expiresAt: string;
  email: string;
  firstName: string;
  lastName: string;
};

export function recordOf(me: Me): SessionRecord {
  const { id, role, sessionExpiresAt, email, firstName, lastName } = me;
  return { personId: id, role, expiresAt: sessionExpiresAt, email, firstName, lastName };
}

export function writeSessionRecord(record: SessionRecord | undefined): void {
  const text = record === undefined ? undefined : JSON.stringify(record);
  const { personId } = record ?? readSessionRecord() ?? {};
  if (personId !== undefined) markRemoved(personId, record === undefined);
  // Writing the same again would wake every other tab for nothing.
  if (readStored('local', KEY) !== text) writeStored('local', KEY, text);
}

function markRemoved(personId: string, removed: boolean): void {
  const name = REMOVED + personId;
  // Without the mark it is as it was before there was one.
  (removed ? cachesOf()?.open(name) : cachesOf()?.delete(name))?.catch(() => undefined);
}

/** Is the record one that was removed, and that came back? */
export function recordCameBack(): Promise<boolean> | undefined {
  const record = readSessionRecord();
  return record && cachesOf()?.has(REMOVED + record.personId);
}

/** Undefined where nobody is signed in, or the record is of another version. */
export function readSessionRecord(): SessionRecord | undefined {
  return recordIn(readStored('local', KEY) ?? null);
}

/** The session was renewed. */
export function renewSessionRecord(expiresAt: string): void {
  const record = readSessionRecord();
  if (record !== undefined) writeSessionRecord({ ...record, expiresAt });
}

/** What stays open when the record has expired by this device's clock, which may be wrong: recording alone. */
const PAST_EXPIRY: readonly Permission[] = ['view_operative_tasks', 'create_operative_tasks'];

/**
 * The person as far as the record tells, for a page that opens without the server.
 * @param now Unix ms
 * @returns undefined for somebody who records nothing once the record has expired
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
  const { personId, email, firstName, lastName, expiresAt } = record;
  return {
    id: personId,
    email,
    firstName,
    lastName,
    role: role ?? null,
    permissions: [...permissionsOf(role)],
    // What may be seen is what was kept for this person; everything else asks the server.
    buildings: [],
    accessVersion: 0,
    sessionExpiresAt: expiresAt,
    setupMode: false,
    insecureHttp: false,
    diskLow: false,
  };
}

/** Calls back when another tab signed somebody in (their id) or out (undefined). */
export function watchSessionRecord(onChange: (personId: string | undefined) => void): () => void {
  function onStorage(event: StorageEvent) {
    // A key of null: the whole storage was cleared.
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
    const wordIn = (name: 'email' | 'firstName' | 'lastName') => {
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
    };
  } catch {
    // Not ours, or from another version: the server knows who is signed in.
    return undefined;
  }
}
