import { createHash } from 'node:crypto';
import type { Document, DocumentPlace } from '#shared/features/documents/documents.ts';
import { DOCUMENT_SORTS, FOLDER_COLORS } from '#shared/features/documents/documents.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Random } from '#tests/support/random.ts';
import type { Building } from '#tests/support/rows/population.ts';
import type { DocumentListInput } from '#web/features/documents/data/fold-documents.ts';
import { runUpload } from '#web/features/documents/upload/run-upload.ts';
import { type Sendable, UploadError } from '#web/features/documents/upload/upload-types.ts';
import type { Scene, Write } from './actions.ts';
import type { Entry } from './ledger.ts';
import { uploadTransportOf, WAITS } from './upload-transport.ts';
import type { ChaosWindow } from './window.ts';

/** Actions of people on documents, with their weights. */
export const DOCUMENT_WEIGHTS = {
  watchDocuments: 12,
  folderCreate: 6,
  foldersCreate: 2,
  upload: 10,
  uploadCancel: 3,
  documentUpdate: 6,
  documentMove: 12,
  documentRemove: 7,
  documentRestore: 6,
} as const;
type DocumentAction = keyof typeof DOCUMENT_WEIGHTS;

export const isDocumentAction = (what: string): what is DocumentAction => what in DOCUMENT_WEIGHTS;

/** Few names, so that several people work on the same ones. */
const NAMES = ['Plans', 'Plan 2', 'Plan 10', 'Risk assessment', 'Manuals', 'plans', 'Sprinklers'] as const;
const MOST_BYTES = 40_000;

type Turn = { window: ChaosWindow; scene: Scene; building: Building; dice: Random; write: Write };

/** Performs one of these actions. People without the permission mostly look. */
export async function actOnDocuments(what: DocumentAction, given: Turn): Promise<void> {
  const { window, scene, dice, write } = given;
  // Mostly in a building whose documents are shown.
  const shown = dice.chance(0.8) ? dice.pick([...window.documentBuildings(), undefined]) : undefined;
  const building = scene.buildings.find(({ id }) => id === shown) ?? given.building;
  const turn: Turn = { ...given, building };
  const { documents } = window.api;
  const manages = window.live.scope?.permissions.includes('manage_building_documents') === true;
  if (what === 'watchDocuments' || (!manages && dice.chance(0.9))) return watch(turn);
  switch (what) {
    case 'folderCreate':
      return await createFolder(turn);
    case 'foldersCreate': {
      const paths = [
        [dice.pick(NAMES), dice.pick(NAMES)],
        [dice.pick(NAMES), dice.pick(NAMES), dice.pick(NAMES)],
      ];
      const input = { buildingId: building.id, place: somePlace(turn), paths };
      return await write(window, scene, { kind: 'documents', id: building.id }, input, (whole, options) =>
        documents.createFolders.mutate(whole, options),
      );
    }
    case 'upload':
      return await upload(turn);
    case 'uploadCancel':
      return await window.someUpload(dice.pick)?.cancel();
    case 'documentUpdate':
      return await update(turn);
    case 'documentMove': {
      const ids = someOf(turn);
      const input = { buildingId: building.id, ids, to: somePlace(turn) };
      if (ids.length === 0) return;
      return await write(window, scene, { kind: 'documents', id: building.id }, input, (whole, options) =>
        documents.move.mutate(whole, options),
      );
    }
    case 'documentRemove': {
      const ids = someOf(turn);
      if (ids.length === 0) return;
      const input = { buildingId: building.id, ids };
      return await write(window, scene, { kind: 'documents', id: building.id }, input, (whole, options) =>
        documents.remove.mutate(whole, options),
      );
    }
    case 'documentRestore': {
      const deleted = window.someDeleted(dice.pick);
      if (deleted === undefined) return;
      const about = { kind: 'documents', id: deleted.id } as const;
      return await write(window, scene, about, { id: deleted.id }, (whole, options) =>
        documents.restore.mutate(whole, options),
      );
    }
  }
}

function watch({ window, scene, building, dice }: Turn): void {
  const seen = window.someDocument(dice.pick, building.id);
  const folder = dice.chance(0.6) ? window.someDocument(dice.pick, building.id, true) : undefined;
  const place: DocumentPlace =
    folder === undefined
      ? { at: 'discipline', disciplineId: dice.pick(scene.disciplines) }
      : { at: 'folder', folderId: folder.id };
  const usual = { buildingId: building.id, place, search: '', expiry: 'all', foldersOnly: false } as const;
  const order = { sort: dice.pick(DOCUMENT_SORTS), direction: dice.pick(['asc', 'desc'] as const) };
  const inputs: readonly DocumentListInput[] = [
    { ...usual, ...order },
    { ...usual, sort: 'name', direction: 'asc' },
    { ...usual, ...order, foldersOnly: true },
    { ...usual, ...order, search: dice.pick(['plan', 'an', 'fire']) },
    { ...usual, ...order, place: { at: 'building' }, search: dice.pick(['plan', 'r', '%']) },
  ];
  window.watchDocuments(String(dice.below(2)), dice.pick(inputs));
  if (seen !== undefined) window.watchDocument(seen.id);
}

/** A place that the person sees; at the top of a discipline where there is none. */
function somePlace({ window, scene, building, dice }: Turn): DocumentPlace {
  const folder = dice.chance(0.7) ? window.someDocument(dice.pick, building.id, true) : undefined;
  return folder === undefined
    ? { at: 'discipline', disciplineId: dice.pick(scene.disciplines) }
    : { at: 'folder', folderId: folder.id };
}

/** One to three documents of the building that are shown. */
function someOf({ window, building, dice }: Turn): string[] {
  const ids = Array.from(
    { length: 1 + dice.below(3) },
    () => window.someDocument(dice.pick, building.id)?.id,
  );
  return [...new Set(ids.flatMap((id) => id ?? []))];
}

async function createFolder(turn: Turn): Promise<void> {
  const { window, scene, building, dice, write } = turn;
  const [id, name, color, place] = [uuidv7(), dice.pick(NAMES), dice.pick(FOLDER_COLORS), somePlace(turn)];
  const above = place.at === 'folder' ? window.documentWith(place.folderId) : undefined;
  const now = new Date().toISOString();
  const patch: Document = {
    ...{ id, buildingId: building.id, isFolder: true, fileName: name, folderColor: color },
    disciplineId: place.at === 'discipline' ? place.disciplineId : (above?.disciplineId ?? null),
    parentFolderId: above?.id ?? null,
    folderPath: above === undefined ? [] : [...above.folderPath, above.id],
    ...{ description: null, fileType: null, fileSize: null, sha256: null, currentVersion: null },
    ...{ hasThumbnail: false, expiresOn: null, proof: null },
    ...{ uploadedBy: window.personId ?? '', uploadedByName: '', uploadedAt: now },
    ...{ modifiedByName: null, modifiedAt: now },
    ...{ deletedAt: null, deletedByName: null, deletedWith: null, version: 0 },
  };
  await write(
    window,
    scene,
    { kind: 'createFolder', id },
    { id, buildingId: building.id, place, name, color },
    (whole, options) => window.api.documents.createFolder.mutate(whole, options),
    { entity: 'document', id, base: undefined, patch },
  );
}

async function update({ window, scene, building, dice, write }: Turn): Promise<void> {
  const document = window.someDocument(dice.pick, building.id);
  // The server has not confirmed the document yet.
  if (document === undefined || document.version < 1) return;
  const fileName = `${dice.pick(NAMES)} ${dice.below(20)}`;
  const description = dice.chance(0.3) ? `Seen ${dice.below(1_000)}` : document.description;
  const changes = {
    fileName: { from: document.fileName, to: fileName },
    ...(description === document.description
      ? {}
      : { description: { from: document.description, to: description } }),
  };
  await write(
    window,
    scene,
    { kind: 'document', id: document.id },
    { id: document.id, changes },
    (whole, options) => window.api.documents.update.mutate(whole, options),
    { entity: 'document', id: document.id, base: document, patch: { fileName, description } },
  );
}

/** Uploads a file by the page's own rules for retries, until it is stored, refused or cancelled. */
async function upload(turn: Turn): Promise<void> {
  const { window, scene, building, dice } = turn;
  const id = uuidv7();
  const content = `${id} `.repeat(1 + dice.below(MOST_BYTES / 37)).slice(dice.below(37));
  const file = new File([content], `${dice.pick(NAMES)}.txt`, { type: 'text/plain', lastModified: 1 });
  const sending: Sendable = {
    ...{ id, file, batchId: id, name: file.name, bytes: file.size, lastModified: 1 },
    target: { buildingId: building.id, place: somePlace(turn) },
    onSameName: dice.pick(['refuse', 'version', 'keep_both'] as const),
    ...{ begun: false, state: 'sending', sent: 0 },
  };
  const transport = uploadTransportOf(window, dice.chance(0.3));
  const entry: Entry = {
    kind: 'upload',
    id,
    sha256: createHash('sha256').update(content).digest('hex'),
    operationIds: new Set([id]),
    told: 'nothing yet',
    ...{ token: undefined, version: undefined, code: undefined },
  };
  scene.ledger.push(entry);
  const running = new AbortController();
  let address: string | undefined;
  let isCancelled = false;
  const forget = window.noteUpload(id, {
    // The person has signed out, and gets no message.
    stop: () => running.abort(),
    async cancel() {
      isCancelled = true;
      running.abort();
      entry.told = 'unknown';
      const { stored } = await transport.cancel(sending, address);
      if (stored) return;
      entry.told = 'refused';
      entry.code = 'cancelled';
    },
  });
  const told = {
    onPause: () => undefined,
    onGoOn: () => undefined,
    onAddress: (next: string) => {
      address = next;
    },
    onProgress: () => undefined,
  };
  try {
    const { documentId, version } = await runUpload(
      sending,
      { transport, waits: WAITS },
      told,
      running.signal,
    );
    if (!isCancelled) Object.assign(entry, { told: 'done', documentId, version });
  } catch (error) {
    if (isCancelled) return;
    entry.code = error instanceof UploadError ? error.failure : 'stopped';
    // After other failures the page offers Retry, so the final message to the person is not known here.
    entry.told = entry.code === 'refused' || entry.code === 'taken' ? 'refused' : 'unknown';
  } finally {
    forget();
  }
}
