/** The longest wait for an answer, in ms. */
const ANSWER_MS = 15_000;

/** The answer of a call; `code` is the server's error code, or `unreachable` if there was none. */
export type Answer<Data> = { ok: true; data: Data } | { ok: false; code: string };

/**
 * Calls a procedure. Never rejects, because a display shows no error but tries again.
 * @param options.asDisplay whether to send the credential of this display; an unpaired screen has none
 */
export async function call<Data>(
  kind: 'query' | 'mutation',
  path: string,
  { input, asDisplay = true }: { input?: object; asDisplay?: boolean } = {},
): Promise<Answer<Data>> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), ANSWER_MS);
  try {
    const headers: Record<string, string> = { 'x-app': '1' };
    if (asDisplay) headers['x-display'] = '1';
    if (kind === 'mutation') headers['content-type'] = 'application/json';
    const response = await fetch(`/trpc/${path}`, {
      method: kind === 'mutation' ? 'POST' : 'GET',
      headers,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: stop.signal,
      ...(kind === 'mutation' && { body: JSON.stringify(input ?? {}) }),
    });
    // The cast: this is the shape of a tRPC answer; the caller gives the procedure's type as `Data`.
    const answer = (await response.json()) as {
      result?: { data: Data };
      error?: { data?: { app?: { code?: string } } };
    };
    if (answer.result !== undefined) return { ok: true, data: answer.result.data };
    const code = answer.error?.data?.app?.code;
    return { ok: false, code: code ?? 'unreachable' };
  } catch {
    return { ok: false, code: 'unreachable' };
  } finally {
    clearTimeout(timer);
  }
}

/** Fetches the text of a file from our own server; undefined if that fails. */
export async function fetchText(path: string): Promise<string | undefined> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), ANSWER_MS);
  try {
    const response = await fetch(path, { cache: 'no-store', signal: stop.signal });
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
