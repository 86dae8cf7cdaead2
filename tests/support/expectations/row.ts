import { uuidv7 } from '#shared/ids.ts';
import type { Permission } from '#shared/permissions.ts';
import type { ProcedurePath, Procedures } from '../procedures.ts';

/** What is at stake in a call: something of the caller's building, of another one, or of none at all. */
export const TARGETS = ['own', 'other', 'absent'] as const;
export type Target = (typeof TARGETS)[number];

export const CALLERS = [
  'anonymous',
  'ended',
  'deactivated',
  'unknownRole',
  'noRole',
  'viewer',
  'operative',
  'manager',
  'admin',
] as const;
export type Caller = (typeof CALLERS)[number];

/** `ok`, or the code of the refusal. */
export type Outcome = string;

/** Ids of what a target is made of. */
export type Ids = {
  buildingId: string;
  clientId: string;
  issueId: string;
  assetId: string;
  floorId: string;
  /** A line of a recorded check. */
  entryId: string;
  personId: string;
};

export type Row<Kind extends Procedures[ProcedurePath] = Procedures[ProcedurePath]> = {
  kind: Kind;
  /** `anybody` needs no session. */
  needs: Permission | 'signedIn' | 'anybody';
  input: (ids: Ids) => unknown;
  /** For those who hold what it needs, where it is not `ok` for their own, and `not_found` for the others. */
  outcome?: Outcome | Partial<Record<Target, Outcome>>;
  /** For an administrator, whose own every building is. */
  adminOutcome?: Partial<Record<Target, Outcome>>;
  /** Differs by caller beyond what it needs. */
  exceptions?: Partial<Record<Caller, Outcome | Partial<Record<Target, Outcome>>>>;
};

export const nothing = () => undefined;
export const empty = () => ({});
export const EVERYWHERE_OK = { own: 'ok', other: 'ok', absent: 'ok' };
export const operationId = () => uuidv7();

/** A row for each procedure of a feature: what is missing, or too much, or of another kind, does not compile. */
export type ExpectationsOf<Feature extends string> = {
  readonly [Path in ProcedurePath as Path extends `${Feature}.${string}` ? Path : never]: Row<
    Procedures[Path]
  >;
};
