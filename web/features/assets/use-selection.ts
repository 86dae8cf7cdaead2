import { useCallback, useRef, useState } from 'react';
import { ASSET_SELECTION_MAX } from '#shared/features/assets/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { toast } from '../../ui/feedback/toast.ts';

/** The selected assets, kept across filters; limited to the maximum of one print of labels. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(selected);
  latest.current = selected;
  const onSelect = useCallback((id: string, on: boolean) => {
    const next = new Set(latest.current);
    if (on && next.size >= ASSET_SELECTION_MAX) {
      toast({ title: assetMessages.labelsBounded(ASSET_SELECTION_MAX), tone: 'info' });
      return;
    }
    if (on) next.add(id);
    else next.delete(id);
    setSelected(next);
  }, []);
  const clearSelection = useCallback(() => setSelected(new Set()), []);
  return { selected, onSelect, clearSelection };
}
