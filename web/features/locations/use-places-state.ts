import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

export const ADD_TABS = ['client', 'building', 'floors'] as const;
export type AddTab = (typeof ADD_TABS)[number];

/** Selection, tab and searches of the locations screen, as stored in the URL. */
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

/** Reads and changes the state in the URL, so that Back, reload and links restore the screen. */
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
      /** Clears building and floor, and opens the tab that adds a building. */
      selectClient: (id: string) =>
        set({ client: id, building: undefined, floor: undefined, bq: undefined, tab: 'building' }),
      /** Opens the tab that adds floors. */
      selectBuilding: (id: string, clientId: string) =>
        set({ client: clientId, building: id, floor: undefined, tab: 'floors' }),
      /** Clears the searches as well, so that the added place appears in its list. */
      selectAddedClient: (id: string) =>
        set({ client: id, building: undefined, floor: undefined, tab: 'building', ...NO_SEARCH }),
      selectAddedBuilding: (id: string, clientId: string) =>
        set({ client: clientId, building: id, floor: undefined, tab: 'floors', ...NO_SEARCH }),
      /**
       * Selects a building to which floors were added. If the building has another client, `adoptClient` selects that client
       * once it is known.
       */
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

/** Returns the tab that adds a place one level below the current selection. */
function tabFor(params: URLSearchParams): AddTab {
  if (params.has('building')) return 'floors';
  return params.has('client') ? 'building' : 'client';
}
