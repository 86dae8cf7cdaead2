/** Closes a `switch` over a union: the call does not compile while a case is missing. */
export function assertNever(value: never): never {
  throw new Error(`Unreachable: ${JSON.stringify(value)}`);
}
