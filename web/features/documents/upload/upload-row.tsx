import { CircleAlert, CircleCheck, RotateCw, X } from 'lucide-react';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { cx } from '../../../ui/cx.ts';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { isSettled, type UploadQueue } from './upload-queue.ts';
import { percentOf } from './upload-sums.ts';
import type { Upload } from './upload-types.ts';

/** One upload in the tray: its name, its progress, and its buttons. */
export function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { id, name, state, failure } = upload;
  const failed = state === 'failed';
  return (
    <li className="flex items-center gap-2 border-line border-t py-1.5 pr-2 pl-4">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="truncate text-ink text-sm" title={name}>
          <bdi>{name}</bdi>
        </p>
        {state === 'sending' ? (
          <div className="flex items-center gap-2 text-ink-2 text-xs tabular-nums">
            <ProgressBar done={percentOf(upload)} of={100} />
            <span className="w-16 text-right">
              {percentOf(upload) === 100 ? uploadMessages.finishing : `${percentOf(upload)}%`}
            </span>
          </div>
        ) : (
          <p className={cx('text-xs [overflow-wrap:anywhere]', failed ? 'text-bad' : 'text-ink-2')}>
            {failed ? (failure ?? uploadMessages.failed) : uploadMessages.states[state]}
          </p>
        )}
      </div>
      {state === 'stored' && <CircleCheck size={16} aria-hidden className="mr-2.5 shrink-0 text-ok" />}
      {failed && <CircleAlert size={16} aria-hidden className="shrink-0 text-bad" />}
      {failed && upload.file !== undefined && (
        <IconButton label={`${uploadMessages.retry}: ${name}`} onClick={() => queue.retry([id])}>
          <RotateCw size={16} aria-hidden />
        </IconButton>
      )}
      {!isSettled(upload) && (
        <IconButton label={uploadMessages.cancel(name)} onClick={() => queue.cancel(id)}>
          <X size={16} aria-hidden />
        </IconButton>
      )}
    </li>
  );
}
