import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { fixedFootBar } from '../../../ui/screen-foot.ts';
import { useMedia } from '../../../ui/use-media.ts';
import { useMe } from '../../session/session-context.ts';
import { SameNameDialog } from './same-name-dialog.tsx';
import { UnfinishedList } from './unfinished-list.tsx';
import { type UnfinishedUpload, unfinishedUploads } from './unfinished-uploads.ts';
import { UploadRow } from './upload-row.tsx';
import { sumsOf, type UploadSums } from './upload-sums.ts';
import type { Upload, UploadState } from './upload-types.ts';
import { useUploads } from './use-uploads.ts';

/** Order of the rows: first uploads that need the person, then uploads in progress, then ended uploads. */
const ORDER: readonly UploadState[] = [
  'failed',
  'taken',
  'sending',
  'paused',
  'waiting',
  'stored',
  'cancelled',
];
/** Maximum number of rows in the list; further uploads are only counted. */
const MOST_ROWS = 40;

/** The uploads of this page, at the edge of every screen. */
export default function UploadTray() {
  const { queue, uploads, batches } = useUploads();
  const { unfinished, refresh } = useUnfinished(useMe().id);
  const [chosen, setChosen] = useState<boolean>();
  const [asking, setAsking] = useState(false);
  const listId = useId();
  const sums = sumsOf(uploads);
  useWarningBeforeClose(sums.open > 0);
  const isDone = sums.open === 0 && sums.failed === 0 && sums.done > 0 && unfinished.length === 0;
  useEffect(() => {
    if (isDone) setChosen(undefined);
  }, [isDone]);
  // The tray covers part of the screen, so it opens by itself only for uploads that need the person, and never on a phone.
  const isWide = useMedia('(min-width: 640px)');
  const open = chosen ?? (isWide && sums.failed + unfinished.length > 0);

  const [question] = [...batches.values()].filter(
    ({ id, answer }) => answer === undefined && uploads.some((each) => isTakenIn(id, each)),
  );
  const shown = uploads.filter(({ state }) => state !== 'cancelled');
  if (shown.length === 0 && unfinished.length === 0) return null;
  const rows = [...shown].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const isOver = sums.open === 0;

  return (
    <section
      ref={fixedFootBar}
      aria-label={uploadMessages.trayTitle}
      className="fixed right-2 bottom-2 left-2 z-30 overflow-hidden rounded-panel border border-line bg-surface shadow-overlay sm:right-auto sm:left-6 sm:bottom-6 sm:w-96 print:hidden"
    >
      <div className="flex items-center gap-1 py-1 pr-2 pl-4">
        <div className="grid min-w-0 flex-1 gap-1 py-1">
          <p role="status" className="font-semibold text-ink text-sm tabular-nums">
            {summaryOf(sums, unfinished.length)}
          </p>
          {!isOver && (
            <div className="flex">
              <ProgressBar done={sums.share} of={1} />
            </div>
          )}
        </div>
        <IconButton
          label={open ? uploadMessages.hide : uploadMessages.show}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setChosen(!open)}
        >
          {open ? <ChevronDown size={18} aria-hidden /> : <ChevronUp size={18} aria-hidden />}
        </IconButton>
        {isOver && shown.length > 0 && (
          <IconButton label={uploadMessages.clear} onClick={() => queue.clear()}>
            <X size={18} aria-hidden />
          </IconButton>
        )}
      </div>
      {open && (
        <div id={listId} className="max-h-[min(22rem,50dvh)] overflow-y-auto overscroll-contain">
          <ul>
            {rows.slice(0, MOST_ROWS).map((upload) => (
              <UploadRow key={upload.id} upload={upload} queue={queue} />
            ))}
          </ul>
          {rows.length > MOST_ROWS && (
            <p className="border-line border-t px-4 py-2 text-ink-2 text-sm">
              {uploadMessages.more(rows.length - MOST_ROWS)}
            </p>
          )}
          {(sums.open > 1 || sums.failed > 1) && (
            <div className="flex gap-2 border-line border-t px-4 py-2">
              {sums.failed > 1 && (
                <Button size="sm" onClick={() => queue.retry(rows.filter(isFailed).map(({ id }) => id))}>
                  {uploadMessages.retryAll}
                </Button>
              )}
              {sums.open > 1 && (
                <Button size="sm" variant="quiet" onClick={() => setAsking(true)}>
                  {uploadMessages.cancelAll}
                </Button>
              )}
            </div>
          )}
          {unfinished.length > 0 && (
            <UnfinishedList unfinished={unfinished} queue={queue} onChange={refresh} />
          )}
        </div>
      )}
      {question !== undefined && (
        <SameNameDialog
          key={question.id}
          names={uploads.filter((each) => isTakenIn(question.id, each)).map(({ name }) => name)}
          onAnswer={(answer) => queue.answer(question.id, answer)}
        />
      )}
      {asking && (
        <ConfirmDialog
          title={uploadMessages.cancelAll}
          action={uploadMessages.cancelAll}
          cancel={uploadMessages.keepUploading}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            queue.cancelAll();
            setAsking(false);
          }}
        >
          <p className="text-ink-2">{uploadMessages.cancelAllAsk}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

const isFailed = ({ state }: Upload) => state === 'failed';
const isTakenIn = (batch: string, { batchId, state }: Upload) => batchId === batch && state === 'taken';

function summaryOf({ all, done, failed, open }: UploadSums, unfinished: number): string {
  if (open > 0) return uploadMessages.sendingOf(done + failed, all);
  return failed + unfinished > 0
    ? uploadMessages.someLeft(failed + unfinished)
    : uploadMessages.allDone(done);
}

function useUnfinished(userId: string) {
  const [unfinished, setUnfinished] = useState<readonly UnfinishedUpload[]>([]);
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again
  useEffect(() => {
    let wanted = true;
    void unfinishedUploads(userId).then((found) => {
      if (wanted) setUnfinished(found);
    });
    return () => {
      wanted = false;
    };
  }, [userId, turn]);
  return { unfinished, refresh: () => setTurn((n) => n + 1) };
}

/** Makes the browser ask before it closes the page. */
function useWarningBeforeClose(atStake: boolean): void {
  useEffect(() => {
    if (!atStake) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [atStake]);
}
