/** `EX_CONFIG` of `sysexits.h`: a supervisor need not restart the process. */
export const EXIT_CONFIGURATION = 78;

/** Refuses the start for a reason that the operator can fix. The message is printed without a stack trace. */
export class StartRefused extends Error {
  override name = 'StartRefused';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
