import type { Meta } from '#server/kernel/trpc.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Permission } from '#shared/permissions.ts';
import type { LargestData } from '#tests/bench/data/largest-data.ts';
import type { ProcedurePath, Procedures } from '../server/procedures.ts';

/** Whether a call concerns the caller's own building, another one, or one that does not exist. */
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

/** `ok`, or the error code. */
export type Outcome = string;

/** Ids of the rows of a target. */
export type Ids = {
  buildingId: string;
  clientId: string;
  issueId: string;
  assetId: string;
  floorId: string;
  /** An entry of a recorded check. */
  entryId: string;
  personId: string;
  taskId: string;
  retiredTaskId: string;
  /** A separate task for marks: a completion that was sent without knowledge of a mark gets a conflict. */
  markedTaskId: string;
  folderId: string;
  deletedFolderId: string;
};

export type Row<Kind extends Procedures[ProcedurePath] = Procedures[ProcedurePath]> = {
  kind: Kind;
  /** `everyone` needs no session; `display` the credential of a display, which no person has. */
  needs: Permission | 'signedIn' | 'everyone' | 'display';
  /** Declarations of the procedure in addition to `needs`, or in its place where the command itself decides. */
  declares?: Partial<Meta>;
  input: (ids: Ids) => unknown;
  /** For callers who have the permission; by default `ok` for their own and `not_found` otherwise. */
  outcome?: Outcome | Partial<Record<Target, Outcome>>;
  /** For an administrator, who may see every building. */
  adminOutcome?: Partial<Record<Target, Outcome>>;
  /** Deviations for a caller that do not follow from the permission. */
  exceptions?: Partial<Record<Caller, Outcome | Partial<Record<Target, Outcome>>>>;
  /**
   * The largest input, or the one with the largest answer, for the n-th call by the bench. Left out where no input is
   * larger than another.
   */
  largest?: (data: LargestData, n: number) => unknown;
};

export const nothing = () => undefined;
export const empty = () => ({});
export const EVERYWHERE_OK = { own: 'ok', other: 'ok', absent: 'ok' };
export const operation = () => ({ operationId: uuidv7() });

/** The rows of a feature, one per procedure. A missing row, an unknown one or one of another kind does not compile. */
export type ExpectationsOf<Feature extends string> = {
  readonly [Path in ProcedurePath as Path extends `${Feature}.${string}` ? Path : never]: Row<
    Procedures[Path]
  >;
};
