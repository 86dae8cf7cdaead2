/** Far more than metadata, keys and tokens take. */
const ANSWER_MAX_BYTES = 1024 * 1024;

/** A `fetch` that limits the size of responses and follows no redirects, for services that are not fully trusted. */
export async function limitedFetch(url: string, options: object): Promise<Response> {
  // The cast: the libraries that call this function declare the options of `fetch` differently.
  const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > ANSWER_MAX_BYTES) throw new Error(`${new URL(url).host} answers with more than 1 MiB`);
    pieces.push(piece);
  }
  const { status, statusText, headers } = response;
  // Responses with these statuses must have no body.
  const body = [101, 204, 205, 304].includes(status) ? null : Buffer.concat(pieces);
  return new Response(body, { status, statusText, headers });
}
