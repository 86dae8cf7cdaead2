import { createHash } from 'node:crypto';
import {
  UNSENT_FORMAT,
  UNSENT_VERSION,
  type UnsentFile,
  type UnsentImported,
} from '#shared/offline/unsent-file.ts';
import { headersFor } from './client.ts';

/** A file as a phone exports it, with one entry of any content; the hash is valid even for forged content. */
export function unsentFileOf(
  personId: string,
  command: string,
  { operationId, ...input }: { operationId: string },
): UnsentFile {
  // A phone adds this field only when it sends the entry.
  Reflect.deleteProperty(input, 'deviceNow');
  const exportedAt = new Date().toISOString();
  const made = { createdAt: exportedAt, attachments: [], receipt: null, title: 'Forged' };
  const entries = [{ id: operationId, command, input, ...made }];
  const content = JSON.stringify({ personId, personName: 'Pat Phone', exportedAt, entries });
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { format: UNSENT_FORMAT, version: UNSENT_VERSION, sha256, content };
}

/** Imports a file as an administrator does. */
export async function bringUnsent(url: string, cookie: string, file: UnsentFile): Promise<UnsentImported> {
  const response = await fetch(`${url}/files/unsent`, {
    method: 'POST',
    headers: { ...headersFor(url, cookie), 'content-type': 'application/json' },
    body: JSON.stringify(file),
  });
  return (await response.json()) as UnsentImported;
}
