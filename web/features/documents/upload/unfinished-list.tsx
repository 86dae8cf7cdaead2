import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { discardUnfinished } from './discard-unfinished.ts';
import { resumeUpload } from './resume-upload.ts';
import type { UnfinishedUpload } from './unfinished-uploads.ts';
import type { UploadQueue } from './upload-queue.ts';

type Props = { unfinished: readonly UnfinishedUpload[]; queue: UploadQueue; onChange: () => void };

/** The unfinished uploads of earlier pages. A reload loses access to the file, so the person has to choose it again. */
export function UnfinishedList({ unfinished, queue, onChange }: Props) {
  return (
    <section aria-label={uploadMessages.unfinished} className="border-line border-t bg-due-soft py-2">
      <p className="px-4 text-due text-sm">{uploadMessages.unfinishedText}</p>
      <ul>
        {unfinished.map((each) => (
          <UnfinishedRow key={each.id} unfinished={each} queue={queue} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}

type RowProps = { unfinished: UnfinishedUpload; queue: UploadQueue; onChange: () => void };

function UnfinishedRow({ unfinished, queue, onChange }: RowProps) {
  const { name, bytes } = unfinished;
  const input = useRef<HTMLInputElement>(null);
  const [comparing, setComparing] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  async function choose(file: File): Promise<void> {
    setComparing(true);
    setRefusal(undefined);
    try {
      setRefusal(await resumeUpload(queue, unfinished, file));
      onChange();
    } catch {
      setRefusal(uploadMessages.unreadable(name));
    } finally {
      setComparing(false);
    }
  }

  return (
    <li className="flex flex-wrap items-center gap-2 py-1 pr-2 pl-4">
      <div className="grid min-w-0 flex-1 gap-0.5 max-sm:basis-full">
        <p className="truncate text-ink text-sm" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p role={refusal === undefined ? undefined : 'alert'} className="text-ink-2 text-xs">
          {comparing ? uploadMessages.comparing : (refusal ?? formatFileSize(bytes))}
        </p>
      </div>
      <Button size="sm" disabled={comparing} onClick={() => input.current?.click()}>
        {uploadMessages.chooseAgain}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${uploadMessages.chooseAgain}: ${name}`}
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = '';
          if (file !== undefined) void choose(file);
        }}
      />
      <IconButton
        label={uploadMessages.discard(name)}
        disabled={comparing}
        onClick={() => void discardUnfinished(unfinished).then(onChange)}
      >
        <X size={16} aria-hidden />
      </IconButton>
    </li>
  );
}
