import type { z } from 'zod';
import type { ApiObject } from '#shared/api/objects.ts';
import type { ApiPermission } from '#shared/features/api-keys/api-keys.vocabulary.ts';

/** Rows of an answer, and the cursor of the next page as the procedure takes it; null on the last one. */
export type Page = { rows: readonly object[]; nextCursor: object | null };

type Common = {
  /** The name of the operation, from which generators make the names of functions. */
  id: string;
  /** Below `/api/v1`; names in braces are fields of the input. */
  path: string;
  summary: string;
  /** The procedure that answers, with the input that the app calls it with. */
  procedure: string;
  input: z.ZodObject;
  permission: ApiPermission;
  /** Further permissions that the procedure asks for. */
  alsoNeeds?: readonly ApiPermission[];
};

/** Reads: a query. `one` answers with an object or 404, `many` with a page. */
export type ReadOperation = Common & {
  method: 'get';
  object: ApiObject;
  /** Fields of the input that callers cannot set. */
  without?: readonly string[];
} & ({ answers: 'one' } | { answers: 'many'; pageOf(answer: unknown, input: Record<string, unknown>): Page });

/** Adds an object: a command whose `operationId` and `id` are made from the caller's `Idempotency-Key`. */
export type CreateOperation = Common & {
  method: 'post';
  /** The answer of the command. */
  object: ApiObject;
  /** The field of the input that a name in the path is for, where that has another name. */
  inPath?: Readonly<Record<string, string>>;
  /** The operation that reads what was added, if there is one. */
  location?: string;
};

/** Changes fields of an object: a command with `changes`, on the condition of `If-Match`. */
export type EditOperation = Common & {
  method: 'patch';
  /** The operation that reads the object; the answer is the same. */
  read: ReadOperation & { answers: 'one' };
};

export type Operation = ReadOperation | CreateOperation | EditOperation;

/** The object that an operation answers with. */
export function objectOf(operation: Operation): ApiObject {
  return operation.method === 'patch' ? operation.read.object : operation.object;
}

/** The permissions that a key needs for an operation. */
export function neededPermissions(operation: Operation): readonly ApiPermission[] {
  const read = operation.method === 'patch' ? [operation.read.permission] : [];
  return [...read, ...(operation.alsoNeeds ?? []), operation.permission];
}
