import { pause } from '#tests/support/pace.ts';
import type { RetryDelays } from '#web/features/documents/upload/retry-delays.ts';
import { cut, failureOf } from '#web/features/documents/upload/upload-address.ts';
import type {
  Announced,
  Sendable,
  StoredUpload,
  UploadTransport,
} from '#web/features/documents/upload/upload-types.ts';
import type { ChaosWindow } from './window.ts';

const ANSWERS_WITHIN_MS = 15_000;

/** The page's waits between two tries, shortened. */
export const WAITS: RetryDelays = {
  async afterFailure(failures, leastMs, signal) {
    await pause(Math.max(Math.min(leastMs, 1_000), Math.min(1_500, 50 * 2 ** failures)));
    signal.throwIfAborted();
  },
};

/**
 * The requests of the page's uploads, sent from Node through a window's connection. Refusals are read by the page's own
 * rules.
 * @param breaksOff whether the first try is cut off in the middle; the proxy cannot do this, because it passes on whole bodies
 */
export function uploadTransportOf(window: ChaosWindow, breaksOff: boolean): UploadTransport {
  async function send(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const limits = [AbortSignal.timeout(ANSWERS_WITHIN_MS), ...(signal === undefined ? [] : [signal])];
    try {
      const answer = await window.call(path, { ...init, signal: AbortSignal.any(limits) });
      // Reads the body, too, because a connection may break within it.
      const body = await answer.arrayBuffer();
      const { status, headers } = answer;
      return new Response(body.byteLength === 0 ? null : body, { status, headers });
    } catch (cause) {
      signal?.throwIfAborted();
      throw cut(cause);
    }
  }

  async function issue(upload: Announced, signal?: AbortSignal): Promise<string> {
    const { id, target, name, bytes: size, lastModified, onSameName } = upload;
    const input = { uploadId: id, ...target, lastModified, onSameName };
    const files = [{ name, size, type: 'text/plain', lastModified }];
    const headers = {
      'content-type': 'application/json',
      'x-uploadthing-package': 'chaos',
      'x-uploadthing-version': '7.7.4',
    };
    const path = '/api/uploadthing?actionType=upload&slug=document';
    const answer = await send(
      path,
      { method: 'POST', headers, body: JSON.stringify({ files, input }) },
      signal,
    );
    const body: unknown = await answer.json().catch(() => undefined);
    if (!answer.ok) throw failureOf(answer.status, body, 'route');
    // The cast: the file router's own answer.
    return (body as { url: string }[])[0]?.url ?? '';
  }

  async function put(
    address: string,
    { file }: Sendable,
    [from, to]: readonly [number, number],
    signal: AbortSignal,
  ): Promise<StoredUpload> {
    const headers = { range: `bytes=${from}-`, 'content-type': 'application/octet-stream' };
    const part = await file.slice(from, to).arrayBuffer();
    const answer = await send(address, { method: 'PUT', headers, body: part }, signal);
    const body: unknown = await answer.json().catch(() => undefined);
    if (!answer.ok) throw failureOf(answer.status, body, 'address');
    // The cast: the ingest's own answer.
    return (body as { serverData: StoredUpload }).serverData;
  }

  return {
    async begin(upload, { signal, onAddress }) {
      const address = await issue(upload, signal);
      onAddress(address);
      return put(address, upload, [0, breaksOff ? upload.bytes >> 1 : upload.bytes], signal);
    },
    async resume(upload, known, { signal, onAddress, onProgress }) {
      const address = known ?? (await issue(upload, signal));
      onAddress(address);
      const answer = await send(address, { method: 'HEAD' }, signal);
      if (!answer.ok) throw failureOf(answer.status, undefined, 'address');
      const held = Number(answer.headers.get('x-ut-range-start') ?? 0);
      onProgress(held);
      return put(address, upload, [held, upload.bytes], signal);
    },
    async cancel(upload, known) {
      const answer = await send(known ?? (await issue(upload)), { method: 'DELETE' });
      const body: unknown = await answer.json().catch(() => undefined);
      if (!answer.ok) throw failureOf(answer.status, body, 'address');
      // The cast: the ingest's own answer.
      return body as { stored: boolean };
    },
  };
}
