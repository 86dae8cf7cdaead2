import type { DocumentPlace } from '#shared/features/documents/documents.ts';
import { DOCUMENT_NAME_MAX, FOLDER_PATHS_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { toastFailure } from '../../../forms/toasts.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { toastError } from '../../../ui/feedback/toast.ts';
import type { Chosen } from './chosen-files.ts';
import type { NewUpload, UploadQueue } from './upload-queue.ts';
import type { UploadTarget } from './upload-types.ts';

/**
 * Creates the chosen folders, finds the names that exist already, and adds the files to the queue. Shows a toast
 * for each failure.
 */
export async function startBatch(queue: UploadQueue, chosen: Chosen, target: UploadTarget): Promise<void> {
  const { files, folders, unreadable } = chosen;
  for (const name of unreadable.slice(0, 3)) toastError(uploadMessages.unreadable(name));
  if (files.length === 0 && folders.length === 0) {
    if (unreadable.length === 0) toastError(uploadMessages.nothingChosen);
    return;
  }
  try {
    const placeOf = await makeFolders(folders, target);
    const news = files.map(({ file, path }) => ({ file, target: { ...target, place: placeOf(path) } }));
    const taken = target.proofOf === undefined ? await takenAmong(news) : new Set();
    if (news.length === 0) return;
    queue.add(
      news.map((each) => ({ ...each, isTaken: taken.has(each) })),
      target,
    );
  } catch (error) {
    toastFailure(error, uploadMessages.failed);
  }
}

/** @returns a function that maps a path of folders to its place */
async function makeFolders(
  folders: readonly (readonly string[])[],
  { buildingId, place }: UploadTarget,
): Promise<(path: readonly string[]) => DocumentPlace> {
  const ids = new Map<string, string>();
  for (let from = 0; from < folders.length; from += FOLDER_PATHS_MAX) {
    const paths = folders.slice(from, from + FOLDER_PATHS_MAX);
    const { folderIds } = await api.documents.createFolders.mutate({
      operationId: uuidv7(),
      ...{ buildingId, place, paths: paths.map((path) => [...path]) },
    });
    for (const [index, path] of paths.entries()) ids.set(keyOf(path), folderIds[index] ?? '');
  }
  return (path) => {
    const folderId = ids.get(keyOf(path));
    return folderId === undefined ? place : { at: 'folder', folderId };
  };
}

// The names of folders contain no slash.
const keyOf = (path: readonly string[]) => path.join('/');

type Placed = Omit<NewUpload, 'isTaken'>;

/**
 * Finds the files whose names already exist in their places, so that the person is asked before anything is sent. A
 * failure here does no harm, because the server refuses a name that exists.
 */
async function takenAmong(files: readonly Placed[]): Promise<Set<unknown>> {
  const groups = new Map<string, Placed[]>();
  for (const each of files) {
    const key = JSON.stringify(each.target.place);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const taken = new Set<unknown>();
  const asks = [...groups.values()].flatMap((group) => inPieces(group, FOLDER_PATHS_MAX));
  await Promise.all(
    asks.map(async (group) => {
      const { buildingId, place } = group[0]?.target ?? {};
      if (buildingId === undefined || place === undefined) return;
      const names = group.map(({ file }) => file.name).filter((name) => name.length <= DOCUMENT_NAME_MAX);
      const found = await api.documents.sameNames.query({ buildingId, place, names }).catch(() => undefined);
      const known = new Set(found?.names.map(nameKey));
      for (const each of group) if (known.has(nameKey(each.file.name))) taken.add(each);
    }),
  );
  return taken;
}

function inPieces<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}
