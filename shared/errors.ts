/** What can go wrong in a way that a person is told about. Anything else is a bug and becomes `internal`. */
export const ERROR_CODES = [
  'unauthenticated',
  'forbidden',
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

/** After these the same may succeed later as it is; every other code has judged it, and judges it so again. */
const WORTH_ANOTHER_TRY: readonly ErrorCode[] = ['rate_limited', 'busy', 'internal'];

/** Whether trying again can help. Without a code, or with `unreachable`, no server of ours has judged anything. */
export function mayTryAgain(code: ErrorCode | 'unreachable' | undefined): boolean {
  return code === undefined || code === 'unreachable' || WORTH_ANOTHER_TRY.includes(code);
}

/** A sentence about a failure, without its advice where that cannot help. */
export function advisedBy(code: ErrorCode | 'unreachable' | undefined, sentence: string): string {
  return mayTryAgain(code) ? sentence : sentence.replace(/ Please try again\.$/, '');
}

/** What a code may tell the client beside itself. */
export type ErrorData = {
  /** Sentences per field, keyed by the field's path in the input ("title", "floors.2"). */
  invalid: { fields: Record<string, string> };
  /** The present values of the fields that somebody else changed meanwhile. */
  conflict: { fields: Record<string, unknown>; version: number };
  /** Concerns this one alone: others may well be taken meanwhile. */
  busy: { thisOnly: true };
  /** Seconds until another try makes sense. */
  rate_limited: { retryAfterSeconds: number };
  /** Finds the log line. */
  internal: { reference: string };
};

type DataOf<C extends ErrorCode> = C extends keyof ErrorData ? ErrorData[C] : undefined;

/** An error that travels to the screen. `data` may reach the client; `detail` is for the log and never does. */
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
    this.code = code;
    this.data = options.data;
    this.detail = options.detail;
  }
}

/** The error as it crosses the wire, in `error.data.app` of a tRPC answer. `message` is one of our sentences or absent. */
export type WireError = {
  code: ErrorCode;
  message?: string | undefined;
  fields?: Record<string, unknown> | undefined;
  version?: number | undefined;
  reference?: string | undefined;
  retryAfterSeconds?: number | undefined;
  thisOnly?: true | undefined;
};
