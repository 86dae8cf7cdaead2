import type { z } from 'zod';
import type { Queryable, Transaction } from '#db/client.ts';
import type { ApiObject } from '#shared/api/objects.ts';
import type { ApiPermission } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import type { DeclaredFile } from '../../features/files/uploads.writes.ts';
import type { SignedInContext } from '../../kernel/context.ts';

/** The rows of an answer, and the cursor of the next page in the procedure's form; null on the last page. */
export type Page = { rows: readonly object[]; nextCursor: object | null };

/** The parts that all operations have. */
type OperationBase = {
  /** The name of the operation, from which generators make the names of functions. */
  id: string;
  /** Below `/api/v1`; names in braces are fields of the input. */
  path: string;
  summary: string;
  /**
   * The parameters, and for an operation that writes also the fields of the body. If the operation calls a procedure, this is
   * the procedure's input.
   */
  input: z.ZodObject;
  permission: ApiPermission;
  /** Further permissions that the procedure requires. */
  alsoNeeds?: readonly ApiPermission[];
};

/** The parts of an operation that calls a procedure of the app. */
type ProcedureBase = OperationBase & { procedure: string };

/** Reads: a query. `one` answers with an object or 404, `many` with a page. */
export type ReadOperation = ProcedureBase & {
  method: 'get';
  object: ApiObject;
  /** Fields of the input that callers cannot set. */
  without?: readonly string[];
  /** Converts the input of the operation to that of the procedure, if the two differ. */
  toInput?(input: Record<string, unknown>): object;
} & (
    | {
        answers: 'one';
        /** Returns the object from the answer of the procedure, if the answer contains more. */
        rowOf?(answer: unknown): unknown;
      }
    | { answers: 'many'; pageOf(answer: unknown, input: Record<string, unknown>): Page }
  );

/** Reads the bytes of a file, all of them or a range. */
export type ContentOperation = OperationBase & {
  method: 'get';
  answers: 'content';
  /** @throws AppError `not_found`, also for a file that the caller may not read */
  find(
    db: Queryable,
    actor: Actor,
    input: Record<string, unknown>,
  ): Promise<{ fileId: string; fileName: string }>;
};

/** Adds an object: a command whose `operationId` and `id` are made from the caller's `Idempotency-Key`. */
export type CreateOperation = ProcedureBase & {
  method: 'post';
  /** The answer of the command. */
  object: ApiObject;
  /** Maps a name in the path to the field of the input, if the field has another name. */
  inPath?: Readonly<Record<string, string>>;
  /** The operation that reads what was added, if there is one. */
  location?: string;
};

/** Changes fields of an object: a command with `changes`, on the condition of `If-Match`. */
export type EditOperation = ProcedureBase & {
  method: 'patch';
  /** The operation that reads the object; the answer is the same. */
  read: ReadOperation & { answers: 'one' };
};

/** Adds a file whose bytes are the body. Its other fields are parameters. */
export type UploadOperation = OperationBase & {
  method: 'post';
  sends: 'file';
  /** The name of the command that reserves the file. */
  command: string;
  /** The object in the answer. */
  object: ApiObject;
  /** The address of the operation that reads what was added. */
  location: string;
  /**
   * Reserves the file before its bytes are read.
   * @param file.id made from the `Idempotency-Key`: a repeated call reserves the same file
   * @param within the transaction of the command, if the reservation is part of one
   * @throws AppError the error for the caller
   */
  reserve(
    ctx: SignedInContext,
    input: Record<string, unknown>,
    file: DeclaredFile & { id: string },
    within?: Transaction,
  ): Promise<{ id: string }>;
};

export type Operation = ReadOperation | ContentOperation | CreateOperation | UploadOperation | EditOperation;

/** Whether the answer of an operation is a file. */
export function isContent(operation: Operation): operation is ContentOperation {
  return operation.method === 'get' && operation.answers === 'content';
}

/** Whether the body of an operation is a file. */
export function isUpload(operation: Operation): operation is UploadOperation {
  return operation.method === 'post' && 'sends' in operation;
}

/** The object that an operation answers with; undefined if it answers with a file. */
export function objectOf(operation: Exclude<Operation, ContentOperation>): ApiObject;
export function objectOf(operation: Operation): ApiObject | undefined;
export function objectOf(operation: Operation): ApiObject | undefined {
  if (isContent(operation)) return undefined;
  return operation.method === 'patch' ? operation.read.object : operation.object;
}

/** The permissions that a key needs for an operation. */
export function neededPermissions(operation: Operation): readonly ApiPermission[] {
  const read = operation.method === 'patch' ? [operation.read.permission] : [];
  return [...read, ...(operation.alsoNeeds ?? []), operation.permission];
}
