import { useEffect, useState } from 'react';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { decodeText, textBlocks } from './decode-text.ts';
import { SCROLLED_BY_KEYS } from './scrolled-by-keys.ts';

/** Number of bytes shown, from the beginning of the file. */
const SHOWN_BYTES = 1024 * 1024;

type Read = { blocks: readonly string[]; isCut: boolean };
type Props = { url: string; bytes: number; onFail: () => void };

/** The first megabyte of a text file, in any encoding. */
export default function TextPreview({ url, bytes, onFail }: Props) {
  const [read, setRead] = useState<Read>();
  useEffect(() => {
    const abort = new AbortController();
    readText(url, bytes, abort.signal).then(setRead, () => {
      if (!abort.signal.aborted) onFail();
    });
    return () => abort.abort();
  }, [url, bytes, onFail]);

  if (read === undefined) {
    return (
      <p role="status" className="flex h-[55dvh] items-center justify-center gap-2 text-ink-2">
        <Spinner /> {documentMessages.loadingContent}
      </p>
    );
  }
  return (
    <div className="grid gap-2">
      <div {...SCROLLED_BY_KEYS} className="h-[55dvh] overflow-auto rounded-control bg-mute p-3">
        {read.blocks.length === 0 && <p className="text-ink-2">{previewMessages.emptyFile}</p>}
        {read.blocks.map((block, index) => (
          <pre
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks never change their order
            key={index}
            className="whitespace-pre-wrap font-mono text-ink text-sm [contain-intrinsic-size:auto_2000px] [content-visibility:auto] [overflow-wrap:anywhere]"
          >
            {block}
          </pre>
        ))}
      </div>
      {read.isCut && <p className="text-ink-2 text-sm">{previewMessages.firstMegabyte}</p>}
    </div>
  );
}

async function readText(url: string, bytes: number, signal: AbortSignal): Promise<Read> {
  // A range of an empty file cannot be satisfied.
  if (bytes === 0) return { blocks: [], isCut: false };
  const answer = await fetch(url, { headers: { range: `bytes=0-${SHOWN_BYTES - 1}` }, signal });
  if (!answer.ok) throw new Error(`the file was refused: ${answer.status}`);
  const got = new Uint8Array(await answer.arrayBuffer());
  const isCut = bytes > SHOWN_BYTES;
  return { blocks: textBlocks(decodeText(got.subarray(0, SHOWN_BYTES), isCut)), isCut };
}
