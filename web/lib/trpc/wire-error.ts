import type { WireError } from '#shared/errors.ts';

/** The WireError in an error of a call; undefined if the server did not answer, or answered without one of our error codes. */
export function wireErrorOf(error: unknown): WireError | undefined {
  const app =
    property(property(error, 'data'), 'app') ?? property(property(property(error, 'shape'), 'data'), 'app');
  if (typeof property(app, 'code') !== 'string') return undefined;
  // The cast: the server's error formatter writes exactly this shape, and `code` has just been checked.
  return app as WireError;
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !(name in value)) return undefined;
  return Reflect.get(value, name);
}
