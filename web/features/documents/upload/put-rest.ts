import { cut, failureOf } from './upload-address.ts';

/** The header in which the server says how many bytes it has. */
const HELD = 'x-ut-range-start';

/** A piece of the bytes that the server has, with its hash in hexadecimal; pieces follow each other without gaps. */
export type HeldPiece = { bytes: number; sha256: string };

/** How many bytes of an upload the server has. Rejects with an UploadError. */
export async function heldBytes(address: string, signal: AbortSignal): Promise<number> {
  const { headers } = await ask('HEAD', address, signal);
  return Number.parseInt(headers.get(HELD) ?? '0', 10);
}

/** The same, with the hashes of these bytes. To compute them the server may have to read the bytes again. */
export async function heldPieces(
  address: string,
  signal: AbortSignal,
): Promise<{ received: number; pieces: HeldPiece[] }> {
  const answer = await ask('GET', address, signal);
  // The cast: the ingest's own answer.
  return (await answer.json()) as { received: number; pieces: HeldPiece[] };
}

/** Cancels an upload: the server deletes its bytes. @returns `stored` if it was complete already and is kept */
export async function cancelUpload(address: string, signal: AbortSignal): Promise<{ stored: boolean }> {
  const answer = await ask('DELETE', address, signal);
  // The cast: the ingest's own answer.
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
 * Sends the rest of a file as UploadThing's client does: one part of a form, from the byte named in `Range`. XHR, because
 * fetch reports no progress of uploads.
 * @returns the body of the answer
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
