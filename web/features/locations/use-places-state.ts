import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

export const ADD_TABS = ['client', 'building', 'floors'] as const;
export type AddTab = (typeof ADD_TABS)[number];

/** What is chosen on the screen of locations, as its address tells it. */
export type PlacesState = {
  clientId: string | undefined;
  buildingId: string | undefined;
  floorId: string | undefined;
  tab: AddTab;
  clientSearch: string;
  buildingSearch: string;
};
type Patch = Partial<Record<'client' | 'building' | 'floor' | 'tab' | 'q' | 'bq', string | undefined>>;

const NO_SEARCH = { q: undefined, bq: undefined };

/** Selection, tab and searches live in the address: back, reload and a link give the same screen. */
export function usePlacesState() {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (patch: Patch, replace = false) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(patch)) {
            if (value === undefined || value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace },
      ),
    [setParams],
  );
  const state: PlacesState = {
    clientId: params.get('client') ?? undefined,
    buildingId: params.get('building') ?? undefined,
    floorId: params.get('floor') ?? undefined,
    tab: ADD_TABS.find((tab) => tab === params.get('tab')) ?? tabFor(params),
    clientSearch: params.get('q') ?? '',
    buildingSearch: params.get('bq') ?? '',
  };
  const actions = useMemo(
    () => ({
      /** Clears building and floor, and turns to adding a building. */
      selectClient: (id: string) =>
        set({ client: id, building: undefined, floor: undefined, bq: undefined, tab: 'building' }),
      /** EventLoopQueue to adding floors. */
      selectBuilding: (id: string, clientId: string) =>
        set({ client: clientId, building: id, floor: undefined, tab: 'floors' }),
      /** What was just added stands in its list, whatever was searched for. */
      selectAddedClient: (id: string) =>
        set({ client: id, building: undefined, floor: undefined, tab: 'building', ...NO_SEARCH }),
      selectAddedBuilding: (id: string, clientId: string) =>
        set({ client: clientId, building: id, floor: undefined, tab: 'floors', ...NO_SEARCH }),
      /** Of a building whose client is found out when it is not the one chosen. */
      selectAddedTo: (id: string, clientId: string | undefined) =>
        set({ client: clientId, building: id, floor: undefined, tab: 'floors', ...NO_SEARCH }),
      adoptClient: (client: string) => set({ client }, true),
      selectFloor: (id: string) => set({ floor: id }),
      dropClient: () => set({ client: undefined, building: undefined, floor: undefined, bq: undefined }),
      dropBuilding: () => set({ building: undefined, floor: undefined }),
      dropFloor: () => set({ floor: undefined }),
      setTab: (tab: AddTab) => set({ tab }, true),
      searchClients: (q: string) => set({ q }, true),
      searchBuildings: (bq: string) => set({ bq }, true),
    }),
    [set],
  );
  return { state, ...actions };
}

/** What one would add next to what is chosen. */
function tabFor(params: URLSearchParams): AddTab {
  if (params.has('building')) return 'floors';
  return params.has('client') ? 'building' : 'client';
}
