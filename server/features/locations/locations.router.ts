import {
  addFloorsInput,
  createBuildingInput,
  createClientInput,
  listArchivedInput,
  listBuildingsInput,
  listClientsInput,
  listFloorsInput,
  placeIdInput,
  placeInput,
  renameClientInput,
  renameFloorInput,
  updateBuildingInput,
} from '#shared/features/locations/locations.inputs.ts';
import { requires, router, signedIn } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { removeBuilding, removeClient, restoreBuilding, restoreClient } from './archive.commands.ts';
import {
  countBuildingDependents,
  countClientDependents,
  countFloorDependents,
  listArchived,
} from './archive.queries.ts';
import { removeFloor, renameFloor, restoreFloor } from './floors.commands.ts';
import {
  addFloors,
  createBuilding,
  createClient,
  renameClient,
  updateBuilding,
} from './locations.commands.ts';
import {
  findBuilding,
  findClient,
  listBuildings,
  listClients,
  readMyBuildings,
  visibleFloors,
} from './locations.queries.ts';

const view = requires('view_locations');
const editPlaces = requires('edit_locations');
const editBuildings = requires('edit_buildings');

export const locationsRouter = router({
  mine: signedIn.query(({ ctx }) => snapshot(ctx, (tx) => readMyBuildings(tx, ctx.actor))),
  listClients: view
    .input(listClientsInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listClients(tx, ctx.actor, input))),
  listBuildings: view
    .input(listBuildingsInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listBuildings(tx, ctx.actor, input))),
  client: view
    .input(placeIdInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => findClient(tx, ctx.actor, input.id))),
  building: requires('view_buildings')
    .input(placeIdInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => findBuilding(tx, ctx.actor, input.id))),
  listFloors: view
    .input(listFloorsInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => visibleFloors(tx, ctx.actor, input.buildingId))),
  listArchived: editPlaces
    .input(listArchivedInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listArchived(tx, input))),
  clientRecords: editPlaces
    .input(placeIdInput)
    .query(({ ctx, input }) => countClientDependents(ctx.services.db, input.id)),
  buildingRecords: editBuildings
    .input(placeIdInput)
    .query(({ ctx, input }) => countBuildingDependents(ctx.services.db, input.id)),
  floorRecords: editPlaces
    .input(placeIdInput)
    .query(({ ctx, input }) => countFloorDependents(ctx.services.db, ctx.actor, input.id)),

  createClient: requires('create_locations')
    .input(createClientInput)
    .mutation(({ ctx, input }) => createClient(ctx, input)),
  createBuilding: requires('create_buildings')
    .input(createBuildingInput)
    .mutation(({ ctx, input }) => createBuilding(ctx, input)),
  addFloors: requires('create_buildings')
    .input(addFloorsInput)
    .mutation(({ ctx, input }) => addFloors(ctx, input)),
  renameClient: editPlaces.input(renameClientInput).mutation(({ ctx, input }) => renameClient(ctx, input)),
  renameFloor: editPlaces.input(renameFloorInput).mutation(({ ctx, input }) => renameFloor(ctx, input)),
  updateBuilding: editBuildings
    .input(updateBuildingInput)
    .mutation(({ ctx, input }) => updateBuilding(ctx, input)),
  removeClient: editPlaces.input(placeInput).mutation(({ ctx, input }) => removeClient(ctx, input)),
  removeBuilding: editBuildings.input(placeInput).mutation(({ ctx, input }) => removeBuilding(ctx, input)),
  removeFloor: editPlaces.input(placeInput).mutation(({ ctx, input }) => removeFloor(ctx, input)),
  restoreClient: editPlaces.input(placeInput).mutation(({ ctx, input }) => restoreClient(ctx, input)),
  restoreBuilding: editBuildings.input(placeInput).mutation(({ ctx, input }) => restoreBuilding(ctx, input)),
  restoreFloor: editPlaces.input(placeInput).mutation(({ ctx, input }) => restoreFloor(ctx, input)),
});
