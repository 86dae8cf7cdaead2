import { useMemo } from 'react';
import type { Building, Client, Floor, PlaceKind } from '#shared/features/locations.ts';
import { api } from '../../lib/trpc.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';

/** Input of every form that adds a building; the server validates empty texts. */
export type NewBuilding = {
  clientId?: string;
  clientName?: string;
  name: string;
  address: string;
  isHealthcare?: boolean;
  floors?: number;
  basement?: boolean;
};

type BuildingPatch = { name?: string; address?: string | null; isHealthcare?: boolean };

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
      renameClient: ({ id, name, archivedAt, version }: Client, to: string) =>
        mutate({
          input: { id, name: { from: name, to } },
          overlay: { entity: 'client', id, base: { id, name, archivedAt, version }, patch: { name: to } },
          send: (input, { signal }) => api.locations.renameClient.mutate(input, { signal }),
        }),
      updateBuilding: (building: Building, patch: BuildingPatch) =>
        mutate({
          input: {
            id: building.id,
            changes: {
              ...(patch.name === undefined ? {} : { name: { from: building.name, to: patch.name } }),
              ...(patch.address === undefined
                ? {}
                : { address: { from: building.address, to: patch.address } }),
              ...(patch.isHealthcare === undefined
                ? {}
                : { isHealthcare: { from: building.isHealthcare, to: patch.isHealthcare } }),
            },
          },
          overlay: { entity: 'building', id: building.id, base: building, patch },
          send: (input, { signal }) => api.locations.updateBuilding.mutate(input, { signal }),
        }),
      renameFloor: ({ id, name }: Floor, to: string) =>
        mutate({
          input: { id, name: { from: name, to } },
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
