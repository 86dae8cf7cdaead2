import { useEffect } from 'react';
import { floorLabel, highestFirst } from '#shared/features/locations/floors.ts';
import type { Floor } from '#shared/features/locations/locations.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { messages } from '#shared/messages.ts';
import { usePermissions } from '../../lib/can.tsx';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { PlaceColumn } from './place-column.tsx';
import { PlaceMenu } from './place-menu.tsx';
import { buildingFloors, oneBuilding } from './places.live.ts';
import type { PlacesState, usePlacesState } from './use-places-state.ts';

type Props = {
  state: PlacesState;
  go: Omit<ReturnType<typeof usePlacesState>, 'state'>;
  onEdit: (floor: Floor) => void;
  onDelete: (floor: Floor) => void;
};

/** The selected building and its floors, highest first. */
export function FloorsColumn({ state, go, onEdit, onDelete }: Props) {
  const { can } = usePermissions();
  const id = state.buildingId ?? '';
  const chosen = state.buildingId !== undefined;
  const building = useLiveQuery(oneBuilding, { id }, { enabled: chosen });
  const there = chosen && building.data !== undefined && building.data !== null;
  const { data, status, error, refetch } = useLiveQuery(
    buildingFloors,
    { buildingId: id },
    { enabled: there },
  );
  const clientOfBuilding = building.data?.clientId;
  const { adoptClient } = go;
  // Selects the building's client when the URL names only the building, or floors were added to a building of another
  // client.
  useEffect(() => {
    if (clientOfBuilding !== undefined && clientOfBuilding !== state.clientId) adoptClient(clientOfBuilding);
  }, [clientOfBuilding, state.clientId, adoptClient]);

  const gone = chosen && building.data === null ? messages.common.gone : undefined;
  const failed = building.status === 'error';
  return (
    <PlaceColumn
      title="Floors"
      action={there && <ExportLink list="floors" what="floors" filter={{ buildingId: id }} iconOnly />}
      rows={data?.floors.toSorted(highestFirst)}
      total={data?.floors.length}
      status={failed ? 'error' : status}
      error={failed ? building.error : error}
      failed={placeMessages.floorsFailed}
      onRetry={failed ? building.refetch : refetch}
      empty={placeMessages.noFloors}
      waiting={chosen ? gone : placeMessages.chooseBuilding}
      selectedId={state.floorId}
      onSelect={(floor) => (floor.id === state.floorId ? go.dropFloor() : go.selectFloor(floor.id))}
      detail={levelOf}
      shown={chosen}
      back={{ label: 'Buildings', onSelect: go.dropBuilding }}
      menu={
        can('edit_locations')
          ? (floor) => (
              <PlaceMenu
                name={floor.name}
                editLabel="Rename"
                onEdit={() => onEdit(floor)}
                onDelete={() => onDelete(floor)}
              />
            )
          : undefined
      }
      above={
        building.data && (
          <div className="text-sm">
            <p className="font-medium [overflow-wrap:anywhere]">{building.data.name}</p>
            <p className="text-ink-2 [overflow-wrap:anywhere]">
              {building.data.code}, {building.data.clientName}
            </p>
            {building.data.address !== null && (
              <p className="whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">
                {building.data.address}
              </p>
            )}
          </div>
        )
      }
    />
  );
}

/** Returns the level of a floor, with the level's default label if the floor has a different name. */
function levelOf({ name, level }: Floor): string {
  const label = floorLabel(level);
  return name === label ? `Level ${level}` : `${label} · Level ${level}`;
}
