import { Download, FolderInput, Trash2, X } from 'lucide-react';
import type { Document } from '#shared/features/documents/documents.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { preloadDialog } from '../../../ui/dialogs/dialog.tsx';
import { footBar } from '../../../ui/screen-foot.ts';
import { isChangeable, useBrowser } from './browser-context.ts';

/** The actions on all selected documents, as a bar that stays at the bottom of the screen. */
export function DocumentSelectionBar({
  documents,
  onClear,
}: {
  documents: readonly Document[];
  onClear: () => void;
}) {
  const { canManage, ask, download } = useBrowser();
  const own = documents.filter(isChangeable);
  const mayChange = canManage && own.length > 0;
  return (
    <section
      ref={footBar}
      aria-label="Selected documents"
      className="sticky bottom-3 z-10 short:static mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-panel border border-line-2 bg-surface px-3 py-2 shadow-overlay max-sm:w-full"
    >
      <p
        aria-live="polite"
        className="px-1 font-medium text-ink tabular-nums max-sm:order-first max-sm:basis-[70%]"
      >
        {documents.length} selected
      </p>
      <Button onClick={() => download(documents)} className="max-sm:grow max-sm:px-2.5!">
        <Download size={16} aria-hidden className="max-sm:hidden" />
        <span>
          Download<span className="max-sm:sr-only"> as ZIP</span>
        </span>
      </Button>
      {mayChange && (
        <>
          <Button
            onClick={() => ask({ what: 'move', documents: own })}
            onPointerEnter={preloadDialog}
            className="max-sm:grow max-sm:px-2.5!"
          >
            <FolderInput size={16} aria-hidden className="max-sm:hidden" />
            Move
          </Button>
          <Button
            onClick={() => ask({ what: 'delete', documents: own })}
            onPointerEnter={preloadDialog}
            className="max-sm:grow max-sm:px-2.5!"
          >
            <Trash2 size={16} aria-hidden className="max-sm:hidden" />
            Delete
          </Button>
        </>
      )}
      <IconButton label="Clear selection" onClick={onClear} className="max-sm:order-first max-sm:ml-auto">
        <X size={18} aria-hidden />
      </IconButton>
    </section>
  );
}
