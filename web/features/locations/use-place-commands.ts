import { useMemo } from 'react';
import type {
  NewBuilding,
  RenameClientInput,
  RenameFloorInput,
  UpdateBuildingInput,
} from '#shared/features/locations/locations.inputs.ts';
import type { Building, Client, PlaceKind } from '#shared/features/locations/locations.ts';
import { wishesOf } from '../../forms/field-edits.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';

const REMOVE = {
  client: api.locations.removeClient,
  building: api.locations.removeBuilding,
  floor: api.locations.removeFloor,
};
const RESTORE = {
  client: api.locations.restoreClient,
  building: api.locations.restoreBuilding,
  floor: api.locations.restoreFloor,
};

/** Commands on clients, buildings and floors. Each resolves with the server's answer or rejects with its refusal. */
export function usePlaceCommands() {
  const { mutate } = useLiveMutation();
  return useMemo(
    () => ({
      addClient: (name: string) =>
        mutate({
          input: { name },
          send: (input, { signal }) => api.locations.createClient.mutate(input, { signal }),
        }),
      addBuilding: (building: NewBuilding) =>
        mutate({
          input: building,
          send: (input, { signal }) => api.locations.createBuilding.mutate(input, { signal }),
        }),
      addFloors: (floors: { buildingId: string; floors: number; basement: boolean }) =>
        mutate({
          input: floors,
          send: (input, { signal }) => api.locations.addFloors.mutate(input, { signal }),
        }),
      renameClient: (client: Client, input: Omit<RenameClientInput, 'operationId'>) =>
        mutate({
          input,
          overlay: { entity: 'client', id: client.id, base: client, patch: { name: input.name.to } },
          send: (input, { signal }) => api.locations.renameClient.mutate(input, { signal }),
        }),
      updateBuilding: (building: Building, input: Omit<UpdateBuildingInput, 'operationId'>) =>
        mutate({
          input,
          overlay: {
            entity: 'building',
            id: building.id,
            base: building,
            patch: wishesOf(input.changes),
          },
          send: (input, { signal }) => api.locations.updateBuilding.mutate(input, { signal }),
        }),
      renameFloor: (input: Omit<RenameFloorInput, 'operationId'>) =>
        mutate({
          input,
          send: (input, { signal }) => api.locations.renameFloor.mutate(input, { signal }),
        }),
      remove: (kind: PlaceKind, id: string) =>
        mutate({ input: { id }, send: (input, { signal }) => REMOVE[kind].mutate(input, { signal }) }),
      restore: (kind: PlaceKind, id: string) =>
        mutate({ input: { id }, send: (input, { signal }) => RESTORE[kind].mutate(input, { signal }) }),
    }),
    [mutate],
  );
}
