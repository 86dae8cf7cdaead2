import { cut, failureOf } from './upload-address.ts';

/** The response header with the number of bytes that the server has. */
const HELD = 'x-ut-range-start';

/** A piece of the bytes that the server has, with its hash in hexadecimal. The pieces are consecutive, without gaps. */
export type HeldPiece = { bytes: number; sha256: string };

/** Returns the number of bytes of an upload that the server has. Rejects with an UploadError. */
export async function heldBytes(address: string, signal: AbortSignal): Promise<number> {
  const { headers } = await ask('HEAD', address, signal);
  return Number.parseInt(headers.get(HELD) ?? '0', 10);
}

/** Like {@link heldBytes}, with the hashes of the bytes. The server may have to read the bytes again to compute them. */
export async function heldPieces(
  address: string,
  signal: AbortSignal,
): Promise<{ received: number; pieces: HeldPiece[] }> {
  const answer = await ask('GET', address, signal);
  // The cast is safe: the response comes from our own ingest.
  return (await answer.json()) as { received: number; pieces: HeldPiece[] };
}

/**
 * Cancels an upload: the server deletes the received bytes.
 * @returns `stored` if the upload was already complete; the server then keeps the file
 */
export async function cancelUpload(address: string, signal: AbortSignal): Promise<{ stored: boolean }> {
  const answer = await ask('DELETE', address, signal);
  // The cast is safe: the response comes from our own ingest.
  return (await answer.json()) as { stored: boolean };
}

async function ask(
  method: 'HEAD' | 'GET' | 'DELETE',
  address: string,
  signal: AbortSignal,
): Promise<Response> {
  const answer = await fetch(address, { method, signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw cut(cause);
  });
  if (!answer.ok) throw failureOf(answer.status, undefined, 'address');
  return answer;
}

/**
 * Sends the rest of a file in the format of UploadThing's client: as one part of a form, from the byte named in `Range`.
 * Uses XHR, because fetch reports no upload progress.
 * @returns the body of the response
 */
export function resumePut(
  address: string,
  file: File,
  from: number,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (sent: number) => void },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('PUT', address);
    request.responseType = 'json';
    request.setRequestHeader('range', `bytes=${from}-`);
    // `loaded` includes the overhead of the form.
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(file.size, from + loaded));
    request.onload = () => {
      const { status, response } = request;
      if (status >= 200 && status < 300 && response !== null) resolve(response);
      else reject(failureOf(status, response, 'address'));
    };
    request.onerror = () => reject(cut());
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const form = new FormData();
    form.append('file', file.slice(from), file.name);
    request.send(form);
  });
}
