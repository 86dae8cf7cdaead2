import type { MirrorEntry, MirrorStorage } from './mirror.ts';

export const MIRROR_CACHE = 'lintel-mirror';
const NAME = 'x-name';
const STAMP = 'x-stamp';
/** The field of a stored response that contains everything that is not binary. */
const REST = 'rest';

/**
 * The mirror in the browser's Cache Storage: each row is a file of its own, so there is no database that can be lost as
 * a whole. The service worker does not touch it. @returns undefined if the page has no Cache Storage (plain http)
 */
export function createMirrorCache(): MirrorStorage | undefined {
  // Absent in pages that were not loaded securely, although the types say otherwise.
  const storage: CacheStorage | undefined = globalThis.caches;
  if (storage === undefined) return undefined;
  const open = () => storage.open(MIRROR_CACHE);
  return {
    async list() {
      const answers = await (await open()).matchAll();
      return answers.map(({ headers }) => ({
        name: headers.get(NAME) ?? '',
        stamp: headers.get(STAMP) ?? '',
      }));
    },
    async get(name) {
      const answer = await (await open()).match(addressOf(name));
      return answer && unpack(await answer.formData());
    },
    async put({ name, stamp }: MirrorEntry, row) {
      const answer = new Response(pack(row), { headers: { [NAME]: name, [STAMP]: stamp } });
      await (await open()).put(addressOf(name), answer);
    },
    async delete(name) {
      await (await open()).delete(addressOf(name));
    },
    clear: () => storage.delete(MIRROR_CACHE),
  };
}

/** The address of a row, because a cache needs an address as its key. Nothing is ever requested from it. */
function addressOf(name: string): string {
  return `/mirror/${name}`;
}

/** A row as form data: JSON, and in other fields the binary values, which JSON cannot express. */
export function pack(row: unknown): FormData {
  const form = new FormData();
  let heavy = 0;
  const text = JSON.stringify(row, (_, value: unknown) => {
    if (!(value instanceof ArrayBuffer) && !(value instanceof Blob)) return value;
    const part = `part-${heavy++}`;
    form.set(part, value instanceof Blob ? value : new Blob([value]));
    return { $part: part, $is: value instanceof Blob ? 'blob' : 'bytes' };
  });
  form.set(REST, text);
  return form;
}

/** Reverses `pack`. @returns undefined if a part is missing */
export async function unpack(form: FormData): Promise<unknown> {
  const text = form.get(REST);
  if (typeof text !== 'string') return undefined;
  const parts = new Map<string, { blob: Blob; bytes: ArrayBuffer }>();
  for (const [name, value] of form) {
    if (typeof value === 'string') continue;
    const bytes = await value.arrayBuffer();
    // A plain Blob again: form data returns a File with a name.
    parts.set(name, { bytes, blob: new Blob([bytes], { type: value.type }) });
  }
  let whole = true;
  const row: unknown = JSON.parse(text, (_, value: unknown) => {
    const name: unknown = Reflect.get(Object(value), '$part');
    if (typeof name !== 'string') return value;
    const part = parts.get(name);
    whole &&= part !== undefined;
    return Reflect.get(Object(value), '$is') === 'blob' ? part?.blob : part?.bytes;
  });
  return whole ? row : undefined;
}
