import type { ByteRange } from '../../adapters/storage/storage.ts';

/**
 * Parses a `Range` header. Several ranges and invalid headers get the whole file, as the standard allows.
 * @returns undefined for the whole file
 */
export function byteRangeOf(
  header: string | undefined,
  bytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  const [first = '', last = ''] = match?.slice(1) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start >= bytes) return 'unsatisfiable';
  return start > end ? undefined : { start, end };
}
