import { Archive, RefreshCw, Upload } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import type { ClientRow, PlaceKind } from '#shared/features/locations/locations.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { messages } from '#shared/messages.ts';
import { plural } from '#shared/text/plural.ts';
import { usePermissions } from '../../lib/can.tsx';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveList } from '../../live/hooks/use-live-list.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { useLive } from '../../live/live-context.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { cx } from '../../ui/cx.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { PrintButton } from '../../ui/lists/print-button.tsx';
import { Page } from '../../ui/page.tsx';
import { AddCard } from './add/add-card.tsx';
import type { EditedPlace } from './edit-place-dialog.tsx';
import { FloorsColumn } from './floors-column.tsx';
import { PlaceColumn } from './place-column.tsx';
import { PlaceMenu } from './place-menu.tsx';
import { buildingList, clientList, oneBuilding, oneClient } from './places.live.ts';
import { usePlacesState } from './use-places-state.ts';

const EditPlaceDialog = lazy(() => import('./edit-place-dialog.tsx'));
const RemoveDialog = lazy(() => import('./remove-dialog.tsx'));
const ArchiveDialog = lazy(() => import('./archive-dialog.tsx'));

type Opened =
  | { dialog: 'archive' }
  | { dialog: 'edit'; edited: EditedPlace }
  | { dialog: 'remove'; kind: PlaceKind; place: { id: string; name: string } };

/**
 * Location Management in three columns: clients, the selected client's buildings, and the selected building's floors.
 */
export default function LocationsPage() {
  const { can } = usePermissions();
  const { state, ...go } = usePlacesState();
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const refresh = useRefresh();
  const adds = can('create_locations') || can('create_buildings');
  const close = () => setOpened(undefined);

  return (
    <Page
      actions={
        <>
          {can('edit_locations') && (
            <Button onClick={() => setOpened({ dialog: 'archive' })}>
              <Archive size={16} aria-hidden />
              Archive
            </Button>
          )}
          {can('create_buildings') && (
            <ButtonLink to="/import?kind=buildings">
              <Upload size={16} aria-hidden />
              Import
            </ButtonLink>
          )}
          <ExportLink
            list="locations"
            filter={
              state.clientId === undefined
                ? {}
                : { clientId: state.clientId, ...searchedFor(state.buildingSearch) }
            }
          />
          <PrintButton />
          <Button onClick={() => void refresh()}>
            <RefreshCw size={16} aria-hidden />
            Refresh
          </Button>
        </>
      }
    >
      <div className={cx('grid items-start gap-4 print:block', adds && 'xl:grid-cols-[20rem_minmax(0,1fr)]')}>
        <div className="grid min-w-0 gap-4 md:grid-cols-3 print:block">
          <Clients state={state} go={go} onOpen={setOpened} />
          <Buildings state={state} go={go} onOpen={setOpened} />
          <FloorsColumn
            state={state}
            go={go}
            onEdit={(floor) => setOpened({ dialog: 'edit', edited: { kind: 'floor', place: floor } })}
            onDelete={(floor) => setOpened({ dialog: 'remove', kind: 'floor', place: floor })}
          />
        </div>
        {adds && (
          // On wide screens the card comes first: on the right, toasts would cover it.
          <div className="min-w-0 xl:order-first print:hidden">
            <AddCard
              tab={state.tab}
              onTab={go.setTab}
              clientId={state.clientId}
              buildingId={state.buildingId}
              onClientAdded={go.selectAddedClient}
              onBuildingAdded={go.selectAddedBuilding}
              onFloorsAdded={(id) => {
                if (id !== state.buildingId) go.selectAddedTo(id, state.clientId);
              }}
            />
          </div>
        )}
      </div>
      <Suspense fallback={null}>
        {opened?.dialog === 'archive' && <ArchiveDialog onClose={close} />}
        {opened?.dialog === 'edit' && <EditPlaceDialog edited={opened.edited} onClose={close} />}
        {opened?.dialog === 'remove' && (
          <RemoveDialog
            kind={opened.kind}
            place={opened.place}
            onClose={close}
            onRemoved={() => {
              close();
              if (opened.place.id === state.clientId) go.dropClient();
              if (opened.place.id === state.buildingId) go.dropBuilding();
              if (opened.place.id === state.floorId) go.dropFloor();
            }}
          />
        )}
      </Suspense>
    </Page>
  );
}

type ColumnProps = {
  state: ReturnType<typeof usePlacesState>['state'];
  go: Omit<ReturnType<typeof usePlacesState>, 'state'>;
  onOpen: (opened: Opened) => void;
};

function Clients({ state, go, onOpen }: ColumnProps) {
  const { can } = usePermissions();
  const search = useDeferredValue(state.clientSearch.trim());
  const list = useLiveList(clientList, { search });
  const chosen = useChosenClient(state.clientId);
  return (
    <PlaceColumn
      {...list}
      total={list.page?.total}
      rows={withChosen(list, chosen, search)}
      title="Clients"
      action={<ExportLink list="clients" what="clients" filter={searchedFor(state.clientSearch)} iconOnly />}
      failed={placeMessages.clientsFailed}
      onRetry={list.refetch}
      empty={search === '' ? placeMessages.noClients : placeMessages.noClientMatches}
      selectedId={state.clientId}
      onSelect={({ id }) => (id === state.clientId ? go.dropClient() : go.selectClient(id))}
      detail={({ buildingCount }) => plural(buildingCount, 'building')}
      search={{ label: 'Search clients...', value: state.clientSearch, onChange: go.searchClients }}
      shown={state.clientId === undefined && state.buildingId === undefined}
      menu={
        can('edit_locations')
          ? (client) => (
              <PlaceMenu
                name={client.name}
                editLabel="Rename"
                onEdit={() => onOpen({ dialog: 'edit', edited: { kind: 'client', place: client } })}
                onDelete={() => onOpen({ dialog: 'remove', kind: 'client', place: client })}
              />
            )
          : undefined
      }
    />
  );
}

function Buildings({ state, go, onOpen }: ColumnProps) {
  const { can } = usePermissions();
  const search = useDeferredValue(state.buildingSearch.trim());
  const { clientId } = state;
  const list = useLiveList(buildingList, { clientId, search }, { enabled: clientId !== undefined });
  const chosen = useLiveQuery(
    oneBuilding,
    { id: state.buildingId ?? '' },
    { enabled: state.buildingId !== undefined },
  ).data;
  const clientGone = useChosenClient(clientId) === null;
  return (
    <PlaceColumn
      {...list}
      total={list.page?.total}
      rows={withChosen(list, chosen?.clientId === clientId ? chosen : null, search)}
      title="Buildings"
      failed={messages.locations.loadFailed}
      onRetry={list.refetch}
      empty={search === '' ? placeMessages.noBuildingsHere : messages.locations.nothingFound}
      waiting={
        clientId === undefined ? placeMessages.chooseClient : clientGone ? messages.common.gone : undefined
      }
      selectedId={state.buildingId}
      onSelect={(building) =>
        building.id === state.buildingId
          ? go.dropBuilding()
          : go.selectBuilding(building.id, building.clientId)
      }
      detail={({ code, floorCount }) => `${code} · ${plural(floorCount, 'floor')}`}
      search={{ label: 'Search buildings...', value: state.buildingSearch, onChange: go.searchBuildings }}
      shown={clientId !== undefined && state.buildingId === undefined}
      back={{ label: 'Clients', onSelect: go.dropClient }}
      menu={
        can('edit_buildings')
          ? (building) => (
              <PlaceMenu
                name={building.name}
                editLabel="Edit"
                scheduleAt={`/logbook/schedules?building=${building.id}`}
                onEdit={() => onOpen({ dialog: 'edit', edited: { kind: 'building', place: building } })}
                onDelete={() => onOpen({ dialog: 'remove', kind: 'building', place: building })}
              />
            )
          : undefined
      }
    />
  );
}

/** Returns the search part of an export's filter. */
function searchedFor(text: string): { search?: string } {
  return text.trim() === '' ? {} : { search: text.trim() };
}

/** Returns the selected client; null when it no longer exists or the person has no access to it. */
function useChosenClient(id: string | undefined): ClientRow | null | undefined {
  return useLiveQuery(oneClient, { id: id ?? '' }, { enabled: id !== undefined }).data;
}

/** Puts a selected row that is not loaded yet on top of the list, unless a search is active. */
function withChosen<Row extends { id: string }>(
  { rows, hasMore }: { rows: readonly Row[]; hasMore: boolean },
  chosen: Row | null | undefined,
  search: string,
): readonly Row[] {
  if (chosen == null || !hasMore || search !== '') return rows;
  return rows.some(({ id }) => id === chosen.id) ? rows : [chosen, ...rows];
}

/**
 * Refetches all queries of this screen. The queries are live anyway; the button is for people who want to be sure (ruling
 * S25).
 */
function useRefresh() {
  const { cache } = useLive();
  return async () => {
    const failure = await cache.refetchAll(
      ({ entities }) => entities.includes('building') || entities.includes('client'),
    );
    if (failure === undefined) toast({ title: placeMessages.refreshed });
    else {
      const why = messageFor(failure, messages.common.notReached);
      toast({ title: placeMessages.refreshFailed, text: why, tone: 'destructive' });
    }
  };
}
