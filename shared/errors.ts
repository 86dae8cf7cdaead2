/** Codes of failures that a screen explains to the person. Any other error is a bug and is reported as `internal`. */
export const ERROR_CODES = [
  'unauthenticated',
  'forbidden',
  'reauthentication_required',
  'not_found',
  'invalid',
  'conflict',
  'duplicate',
  'operation_reused',
  'rate_limited',
  'too_large',
  'unsupported',
  'busy',
  'upgrade_required',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Codes after which a retry may succeed. Any other code is a refusal of the input, so a retry would be refused again. */
const WORTH_ANOTHER_TRY: readonly ErrorCode[] = ['rate_limited', 'busy', 'internal'];

/** Whether trying again can help. No code, or `unreachable`, means that the server has not decided about the call. */
export function isRetryable(code: ErrorCode | 'unreachable' | undefined): boolean {
  return code === undefined || code === 'unreachable' || WORTH_ANOTHER_TRY.includes(code);
}

/** The sentence about a failure, without " Please try again." where trying again cannot help. */
export function advisedBy(code: ErrorCode | 'unreachable' | undefined, sentence: string): string {
  return isRetryable(code) ? sentence : sentence.replace(/ Please try again\.$/, '');
}

/** The data that the client gets with a code. */
export type ErrorData = {
  /** Sentences per field, keyed by the field's path in the input ("title", "floors.2"). */
  invalid: { fields: Record<string, string> };
  /** The present values of the fields that another person has changed in the meantime, and the row's version. */
  conflict: { fields: Record<string, unknown>; version: number };
  /**
   * `thisOnly`: only this command is refused; others may still be accepted. `outcome`: the database became
   * unreachable during the commit, so the change may have been saved; sending the same operation again gives the outcome.
   */
  busy: { thisOnly: true } | { outcome: 'unknown' };
  /** Seconds to wait before the next try. */
  rate_limited: { retryAfterSeconds: number };
  /** A reference by which the operator finds the log line. */
  internal: { reference: string };
};

type DataOf<C extends ErrorCode> = C extends keyof ErrorData ? ErrorData[C] : undefined;

/** An error that is reported to the client. `data` may be sent; `detail` is for the log and is never sent. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly data: DataOf<C> | undefined;
  readonly detail: string | undefined;

  constructor(
    code: C,
    options: {
      data?: DataOf<C>;
      detail?: string;
      message?: string;
      cause?: unknown;
    } = {},
  ) {
    super(options.message ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    // A refusal is a normal answer, so its stack is never logged. But tRPC reads the stack, and each line would be looked up
    // in the source map: the first refusal would block the server for 0.1 s and occupy 50 MB from then on.
    if (code !== 'internal') this.stack = `${this.name}: ${this.message}`;
    this.code = code;
    this.data = options.data;
    this.detail = options.detail;
  }
}

/** The error on the wire, in `error.data.app` of a tRPC answer. `message`, if any, is a sentence from our messages. */
export type WireError = {
  code: ErrorCode;
  message?: string | undefined;
  fields?: Record<string, unknown> | undefined;
  version?: number | undefined;
  reference?: string | undefined;
  retryAfterSeconds?: number | undefined;
  thisOnly?: true | undefined;
  outcome?: 'unknown' | undefined;
};
