import { useCallback, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { ASSET_SELECTION_MAX } from '#shared/features/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets-messages.ts';
import { toast } from '../../ui/toast.ts';
import { type AssetsState, readAssetsState, writeAssetsState } from './assets-url.ts';

/** State of the asset page, stored in the URL only. */
export function useAssetsState() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const state = useMemo(() => readAssetsState(params), [params]);
  const latest = useRef(state);
  latest.current = state;
  /** Adds an entry to the browser's history; `replace`, used while typing, overwrites the current one. */
  const change = useCallback(
    (patch: Partial<AssetsState>, options: { replace?: boolean } = {}) => {
      const next = { ...latest.current, ...patch };
      latest.current = next;
      void navigate({ search: writeAssetsState(next).toString() }, { replace: options.replace ?? false });
    },
    [navigate],
  );
  return { state, change };
}

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
