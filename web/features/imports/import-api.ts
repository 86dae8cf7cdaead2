import type {
  ImportCheck,
  ImportDone,
  ImportKind,
  ImportProgress,
} from '#shared/features/imports/imports.vocabulary.ts';
import { IMPORT_MAX_BYTES } from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { messages } from '#shared/messages.ts';
import { reauthentication } from '../session/reauthentication/reauthentication.ts';

const MEGABYTE = 1024 * 1024;

/** A refused file; the message is shown to the person. */
export class ImportRefusal extends Error {}

/**
 * Reads a file before anything is sent.
 * @throws ImportRefusal for a file that is too large or not UTF-8 text
 */
export async function readFile(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > IMPORT_MAX_BYTES) {
    throw new ImportRefusal(importMessages.tooLarge(IMPORT_MAX_BYTES / MEGABYTE));
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ImportRefusal(importMessages.notUtf8);
  }
  return bytes;
}

async function send(path: string, body: Uint8Array<ArrayBuffer>, fallback: string): Promise<Response> {
  const response = await fetch(`/files/import/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', 'x-app': '1' },
    body,
  });
  if (response.ok) return response;
  const refusal = refusalIn(await response.json().catch(() => undefined));
  if (refusal.code !== 'reauthentication_required') throw new ImportRefusal(sentenceOf(refusal) ?? fallback);
  if (await reauthentication.ask()) return send(path, body, fallback);
  throw new ImportRefusal(messages.common.notConfirmed);
}

type Refusal = { code?: string; message?: string };

function refusalIn(answer: unknown): Refusal {
  // The cast is safe: every refusal by the server has this format.
  const { error } = (answer ?? {}) as { error?: { data?: { app?: Refusal } } };
  return error?.data?.app ?? {};
}

function sentenceOf({ code, message }: Refusal): string | undefined {
  return message ?? (code === 'busy' ? messages.common.busy : undefined);
}

/** Validates a file and returns its rows and faults; stores nothing. */
export async function checkFile(kind: ImportKind, bytes: Uint8Array<ArrayBuffer>): Promise<ImportCheck> {
  const response = await send(`${kind}/check`, bytes, importMessages.checkFailed);
  // The cast is safe: this is the server's response to a check.
  return (await response.json()) as ImportCheck;
}

/**
 * Imports a file.
 * @param operationId the same for every attempt with this file, so that it is imported once
 * @param onProgress called with the number of rows stored and the total
 */
export async function runFile(
  kind: ImportKind,
  bytes: Uint8Array<ArrayBuffer>,
  operationId: string,
  onProgress: (done: number, total: number) => void,
): Promise<ImportDone> {
  const path = `${kind}/run?operationId=${operationId}`;
  const response = await send(path, bytes, importMessages.failed);
  for await (const line of linesOf(response)) {
    // The cast is safe: the server writes one progress object on each line.
    const progress = JSON.parse(line) as ImportProgress;
    if ('result' in progress) return progress.result;
    if ('error' in progress) throw new ImportRefusal(progress.error.message ?? importMessages.failed);
    onProgress(progress.done, progress.total);
  }
  throw new Error('the answer broke off');
}

/**
 * Creates new links for the people of a file who have not set a password yet.
 * @param operationId the same for every attempt
 */
export async function renewLinks(bytes: Uint8Array<ArrayBuffer>, operationId: string): Promise<ImportDone> {
  const response = await send(`people/links?operationId=${operationId}`, bytes, importMessages.linksFailed);
  // The cast is safe: this is the server's response to this call.
  return (await response.json()) as ImportDone;
}

async function* linesOf(response: Response): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return;
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
