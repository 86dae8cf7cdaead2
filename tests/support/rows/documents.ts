import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { actorOf } from '#server/access/actor.ts';
import { storeDocument } from '#server/features/documents/store-document.ts';
import { reserveDocument } from '#server/features/documents/uploads.commands.ts';
import { runCommand } from '#server/kernel/commands.ts';
import type { SignedInContext } from '#server/kernel/context.ts';
import {
  type DocumentPlace,
  type DocumentUpload,
  documentUploadInput,
  type StoredDocument,
} from '#shared/features/documents/documents.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { TestClient } from '../server/client.ts';
import type { TestServer } from '../server/server.ts';

export const GENERAL_PLACE = { at: 'discipline', disciplineId: null } as const satisfies DocumentPlace;

/** Makes a folder and returns its id; at the top of General unless a place is given. */
export async function addFolder(
  client: TestClient,
  { buildingId, name, place }: { buildingId: string; name?: string; place?: DocumentPlace },
): Promise<string> {
  const id = uuidv7();
  const folder = { buildingId, place: place ?? GENERAL_PLACE, name: name ?? `Folder ${id}` };
  await client.documents.createFolder.mutate({ operationId: uuidv7(), id, ...folder });
  return id;
}

/** The context of a call by the person whose session cookie this is. */
export async function contextOf({ services }: TestServer, cookie: string): Promise<SignedInContext> {
  const session = await services.sessions.validate(cookie.slice(cookie.indexOf('=') + 1));
  if (session === undefined) throw new Error('no session');
  const request = { requestId: 'test', address: '127.0.0.1', userAgent: 'test', setCookie: () => undefined };
  return { services, actor: actorOf(session), ...request };
}

type Upload = Partial<DocumentUpload> & { buildingId: string; fileName?: string; content?: string };

/** Reserves a file of documents, as the upload route does. */
export function reserve(ctx: SignedInContext, { fileName = 'Plan.pdf', content = 'bytes', ...more }: Upload) {
  const given = { uploadId: uuidv7(), place: GENERAL_PLACE, lastModified: 0, ...more };
  const announced = { name: fileName, size: Buffer.byteLength(content), type: 'text/plain' };
  return reserveDocument(ctx, documentUploadInput.parse(given), announced);
}

/** Completes an upload, as the layer of files does when it has all bytes. The bytes themselves are not stored. */
export function finishUpload(ctx: SignedInContext, id: string, content = 'bytes'): Promise<StoredDocument> {
  return runCommand(ctx, 'documents.store', { operationId: uuidv7() }, async (command) => {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const [file] = await command.tx
      .update(storedFiles)
      .set({ state: 'stored', sha256, receivedAt: command.now })
      .where(eq(storedFiles.id, id))
      .returning();
    if (file === undefined) throw new Error('there is no such file');
    return storeDocument(command, file);
  });
}

/** Uploads a file of documents. */
export async function storeFile(ctx: SignedInContext, upload: Upload): Promise<StoredDocument> {
  const { id } = await reserve(ctx, upload);
  return finishUpload(ctx, id, upload.content);
}

/** Expects that the tallies of documents equal a count of them. */
export async function expectTallies({ services: { db } }: TestServer): Promise<void> {
  const wrong = await db.execute(sql`
    select * from (
      select building_id, discipline_id, count(*) filter (where not is_folder) as files,
        count(*) filter (where is_folder) as folders, coalesce(sum(file_size), 0) as bytes
      from building_documents where deleted_at is null group by 1, 2
    ) counted
    full join document_tallies t on t.building_id = counted.building_id
      and t.discipline_id is not distinct from counted.discipline_id
    where (coalesce(counted.files, 0), coalesce(counted.folders, 0), coalesce(counted.bytes, 0))
      is distinct from (coalesce(t.files, 0), coalesce(t.folders, 0), coalesce(t.bytes, 0))`);
  expect([...wrong]).toEqual([]);
}
