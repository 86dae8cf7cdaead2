import { FolderUp, Upload as UploadIcon } from 'lucide-react';
import { type DragEvent, useEffect, useId, useState } from 'react';
import type { DocumentPlace } from '#shared/features/documents/documents.ts';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { cx } from '../../../ui/cx.ts';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import { type Chosen, droppedFiles } from './chosen-files.ts';
import { FileButton } from './file-button.tsx';
import { loadTransport } from './page-uploads.ts';
import { startBatch } from './start-batch.ts';
import { isSettled } from './upload-queue.ts';
import type { UploadTarget } from './upload-types.ts';
import { useUploads } from './use-uploads.ts';

type Props = {
  buildingId: string;
  place: DocumentPlace;
  disciplines: readonly { id: string; name: string }[];
};

/**
 * Accepts dropped or chosen files and folders, but no further ones while its batch is being uploaded. The uploads continue
 * if the person leaves the screen.
 */
export default function UploadZone({ buildingId, place, disciplines }: Props) {
  const { queue, uploads, batches } = useUploads();
  const [disciplineId, setDisciplineId] = useState('');
  const [preparing, setPreparing] = useState(false);
  const target = targetOf(buildingId, place, disciplineId);
  const drag = useFileDrag();
  // Files cannot be dropped by touch.
  const mayDrop = useMedia('(any-pointer: fine)');
  const hintId = useId();
  useEffect(() => void loadTransport().catch(() => undefined), []);

  const own = uploads.filter(({ batchId }) =>
    isSame(batches.get(batchId)?.target, buildingId, place, target),
  );
  const busy = preparing || own.some((upload) => !isSettled(upload));

  async function take(chosen: Chosen | Promise<Chosen>): Promise<void> {
    setPreparing(true);
    try {
      await startBatch(queue, await chosen, target);
    } finally {
      setPreparing(false);
    }
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    drag.end();
    if (!busy && event.dataTransfer.types.includes('Files')) void take(droppedFiles(event.dataTransfer));
  }

  const state = busy ? 'uploading' : drag.active ? 'active' : 'idle';
  return (
    <section
      aria-label={uploadMessages.trayTitle}
      data-state={state}
      {...drag.handlers}
      onDrop={drop}
      className={cx(
        'grid justify-items-center gap-3 rounded-card border-2 border-dashed px-4 text-center transition-colors',
        busy ? 'py-3' : 'py-6',
        state === 'active' ? 'border-brand bg-brand-soft' : 'border-line-2 bg-surface',
      )}
    >
      {!busy && (
        <div
          aria-hidden
          className={cx(
            'grid size-11 place-items-center rounded-full',
            state === 'active' ? 'bg-brand text-on-brand' : 'bg-brand-soft text-brand',
          )}
        >
          <UploadIcon size={20} />
        </div>
      )}
      <div role="status" className="grid gap-0.5">
        {(busy || mayDrop) && <p className="font-semibold text-ink">{titleOf(state, preparing)}</p>}
        {/* While busy, the upload tray shows the number of files and their progress. */}
        {!busy && (
          <p id={hintId} className="text-ink-2 text-sm">
            {uploadMessages.zoneHint}
          </p>
        )}
      </div>
      {!busy && (
        <div className="flex flex-wrap items-end justify-center gap-2">
          {place.at === 'building' && (
            <div className="min-w-48 text-left">
              <SelectField
                label={uploadMessages.disciplineLabel}
                value={disciplineId}
                onChange={(event) => setDisciplineId(event.target.value)}
              >
                <option value="">{uploadMessages.disciplineNone}</option>
                {disciplines.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </SelectField>
            </div>
          )}
          <FileButton
            label={uploadMessages.chooseFiles}
            variant="primary"
            describedBy={hintId}
            onFiles={take}
          />
          {canChooseFolders && (
            <FileButton label={uploadMessages.chooseFolder} isFolder onFiles={take}>
              <FolderUp size={16} aria-hidden />
              {uploadMessages.chooseFolder}
            </FileButton>
          )}
        </div>
      )}
    </section>
  );
}

const canChooseFolders = 'webkitdirectory' in HTMLInputElement.prototype;

function titleOf(state: 'idle' | 'active' | 'uploading', preparing: boolean): string {
  if (preparing) return uploadMessages.zonePreparing;
  if (state === 'uploading') return uploadMessages.zoneBusy;
  return state === 'active' ? uploadMessages.zoneActive : uploadMessages.zone;
}

/** Tracks whether files are dragged over the zone. Prevents the browser from opening a file dropped beside the zone. */
function useFileDrag() {
  const [depth, setDepth] = useState(0);
  useEffect(() => {
    const keep = (event: globalThis.DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    window.addEventListener('dragover', keep);
    window.addEventListener('drop', keep);
    return () => {
      window.removeEventListener('dragover', keep);
      window.removeEventListener('drop', keep);
    };
  }, []);
  const ofFiles = (change: (depth: number) => number) => (event: DragEvent) => {
    if (event.dataTransfer.types.includes('Files')) setDepth(change);
  };
  return {
    active: depth > 0,
    end: () => setDepth(0),
    handlers: {
      // A count, because the event for entering a child fires before the event for leaving its parent.
      onDragEnter: ofFiles((n) => n + 1),
      onDragLeave: ofFiles((n) => Math.max(0, n - 1)),
    },
  };
}

function targetOf(buildingId: string, place: DocumentPlace, disciplineId: string): UploadTarget {
  if (place.at !== 'building') return { buildingId, place };
  return { buildingId, place: { at: 'discipline', disciplineId: disciplineId === '' ? null : disciplineId } };
}

/** Returns whether a batch belongs to this zone. In the zone of a building, a batch may go to any discipline. */
function isSame(
  of: UploadTarget | undefined,
  buildingId: string,
  place: DocumentPlace,
  target: UploadTarget,
): boolean {
  if (of?.buildingId !== buildingId || of.proofOf !== undefined) return false;
  return place.at === 'building'
    ? of.place.at === 'discipline'
    : JSON.stringify(of.place) === JSON.stringify(target.place);
}
