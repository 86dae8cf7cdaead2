import type { ImportCheck, ImportKind, ImportProgress } from '#shared/features/imports/imports.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { headersFor } from './client.ts';

/** Downloads a list as a CSV file. */
export function download(
  url: string,
  cookie: string | undefined,
  list: string,
  filter?: object,
): Promise<Response> {
  const query = filter === undefined ? '' : `?filter=${encodeURIComponent(JSON.stringify(filter))}`;
  return fetch(`${url}/files/export/${list}.csv${query}`, { headers: headersFor(url, cookie) });
}

export function upload(
  url: string,
  cookie: string | undefined,
  path: string,
  body: BodyInit,
): Promise<Response> {
  return fetch(`${url}/files/import/${path}`, {
    method: 'POST',
    headers: { ...headersFor(url, cookie), 'content-type': 'text/csv' },
    body,
  });
}

export async function checkFile(
  url: string,
  cookie: string,
  kind: ImportKind,
  text: string,
): Promise<ImportCheck> {
  const response = await upload(url, cookie, `${kind}/check`, text);
  if (!response.ok) throw new Error(await response.text());
  // The cast: the server's only answer to a check.
  return (await response.json()) as ImportCheck;
}

/** @returns every line of the answer; the last line has the outcome */
export async function runFile(
  url: string,
  cookie: string,
  kind: ImportKind,
  text: string,
  operationId: string = uuidv7(),
): Promise<ImportProgress[]> {
  const response = await upload(url, cookie, `${kind}/run?operationId=${operationId}`, text);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  // The cast: the server writes one of these per line.
  return lines.map((line) => JSON.parse(line) as ImportProgress);
}
