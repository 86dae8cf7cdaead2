/** What `sysexits.h` calls a configuration error: a supervisor need not try again. */
export const EXIT_CONFIGURATION = 78;

/** The start is refused, for a reason that a person can act on. The message is printed as it is, without a stack. */
export class StartRefused extends Error {
  override name = 'StartRefused';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
