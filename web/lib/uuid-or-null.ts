const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id from an address, in lower case as in answers; null for anything else. */
export function uuidOrNull(text: string | null): string | null {
  return text !== null && UUID.test(text) ? text.toLowerCase() : null;
}
