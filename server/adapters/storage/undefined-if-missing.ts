/**
 * Handles a missing file: `stat(path).catch(undefinedIfMissing)`.
 * @throws any other error
 */
export function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined;
  throw error;
}
