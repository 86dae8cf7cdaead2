/** For what may be missing: `stat(path).catch(missing)`. @throws any other error */
export function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined;
  throw error;
}
