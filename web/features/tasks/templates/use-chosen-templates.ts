import { useCallback, useMemo, useState } from 'react';
import type { TemplateOffer } from '#shared/features/tasks/tasks.ts';

/**
 * The templates that the person has selected for a building. Another building starts without a selection; a template that
 * is in use by now is no longer selected.
 */
export function useChosenTemplates(buildingId: string | null, offer: TemplateOffer | undefined) {
  const [held, setHeld] = useState<{ buildingId: string | null; ids: readonly string[] }>({
    buildingId: null,
    ids: [],
  });
  const ids = held.buildingId === buildingId ? held.ids : NONE;
  const chosen = useMemo(() => new Set(ids.filter((id) => offer?.inUse.includes(id) !== true)), [ids, offer]);
  const choose = useCallback(
    (some: readonly string[], on: boolean) =>
      setHeld((before) => {
        const others = (before.buildingId === buildingId ? before.ids : NONE).filter(
          (id) => !some.includes(id),
        );
        return { buildingId, ids: on ? [...others, ...some] : others };
      }),
    [buildingId],
  );
  const clear = useCallback(() => setHeld({ buildingId, ids: NONE }), [buildingId]);
  return { chosen, choose, clear };
}

const NONE: readonly string[] = [];
