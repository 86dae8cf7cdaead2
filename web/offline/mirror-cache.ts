import type { MirrorEntry, MirrorStorage } from './mirror.ts';

export const MIRROR_CACHE = 'lintel-mirror';
const NAME = 'x-name';
const STAMP = 'x-stamp';
/** The part of an answer that says everything but what is heavy. */
const REST = 'rest';

/**
 * The second copy in the browser's Cache Storage: each row a file of its own, and no database that is lost as a whole.
 * The service worker never looks into it. @returns undefined where the page has none (plain http)
 */
export function createMirrorCache(): MirrorStorage | undefined {
  // Absent in a page that was not loaded securely, whatever the types say.
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

/** Nothing is ever asked for there: a cache knows what it keeps by addresses. */
function addressOf(name: string): string {
  return `/mirror/${name}`;
}

/** A row as a form: plain JSON, and beside it what JSON has no words for. */
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

/** @returns undefined where it is not whole */
export async function unpack(form: FormData): Promise<unknown> {
  const text = form.get(REST);
  if (typeof text !== 'string') return undefined;
  const parts = new Map<string, { blob: Blob; bytes: ArrayBuffer }>();
  for (const [name, value] of form) {
    if (typeof value === 'string') continue;
    const bytes = await value.arrayBuffer();
    // Plain again: what comes out of a form is a file with a name.
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
