/** The end of a switch over a union: does not compile while a case is missing. */
export function assertNever(value: never): never {
  throw new Error(`Unreachable: ${JSON.stringify(value)}`);
}
