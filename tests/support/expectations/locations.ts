import { FLOORS_MAX } from '#shared/features/locations/floors.ts';
import { PLACES_PAGE_MAX } from '#shared/features/locations/locations.inputs.ts';
import { uuidv7 } from '#shared/ids.ts';
import { sameRow } from './largest.ts';
import { EVERYWHERE_OK, type ExpectationsOf, empty, nothing, operation } from './row.ts';

export const locations: ExpectationsOf<'locations'> = {
  'locations.mine': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'locations.listClients': {
    kind: 'query',
    needs: 'view_locations',
    input: empty,
    outcome: 'ok',
    largest: () => ({ limit: PLACES_PAGE_MAX }),
  },
  'locations.listBuildings': {
    kind: 'query',
    needs: 'view_locations',
    input: ({ clientId }) => ({ clientId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: () => ({ limit: PLACES_PAGE_MAX, search: 'street' }),
  },
  'locations.listFloors': {
    kind: 'query',
    needs: 'view_locations',
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ siteId }) => ({ buildingId: siteId }),
  },
  'locations.client': {
    kind: 'query',
    needs: 'view_locations',
    input: ({ clientId }) => ({ id: clientId }),
    // Null if it does not exist or is not visible.
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: ({ clientId }) => ({ id: clientId }),
  },
  'locations.building': {
    kind: 'query',
    needs: 'view_buildings',
    input: ({ buildingId }) => ({ id: buildingId }),
    // Null if it does not exist or is not visible.
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: ({ siteId }) => ({ id: siteId }),
  },
  'locations.listArchived': {
    kind: 'query',
    needs: 'edit_locations',
    input: empty,
    outcome: 'ok',
    largest: () => ({ limit: PLACES_PAGE_MAX }),
  },
  'locations.clientRecords': {
    kind: 'query',
    needs: 'edit_locations',
    input: ({ clientId }) => ({ id: clientId }),
    largest: ({ clientId }) => ({ id: clientId }),
  },
  'locations.buildingRecords': {
    kind: 'query',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({ id: buildingId }),
    largest: ({ siteId }) => ({ id: siteId }),
  },
  'locations.floorRecords': {
    kind: 'query',
    needs: 'edit_locations',
    input: ({ floorId }) => ({ id: floorId }),
    largest: ({ siteFloorId }) => ({ id: siteFloorId }),
  },
  'locations.createClient': {
    kind: 'mutation',
    needs: 'create_locations',
    input: () => ({ ...operation(), name: `Client ${uuidv7()}` }),
    outcome: 'ok',
  },
  'locations.createBuilding': {
    kind: 'mutation',
    needs: 'create_buildings',
    input: ({ clientId }) => ({ ...operation(), clientId, name: 'From the sweep' }),
    largest: ({ clientId }, n) => ({
      ...operation(),
      clientId,
      name: `New house ${n}`,
      floors: FLOORS_MAX,
      basement: true,
    }),
  },
  'locations.addFloors': {
    kind: 'mutation',
    needs: 'create_buildings',
    input: ({ buildingId }) => ({ ...operation(), buildingId, floors: 1 }),
    largest: ({ buildings }, n) => ({
      ...operation(),
      buildingId: buildings.at(-1 - n),
      floors: FLOORS_MAX,
      basement: true,
    }),
  },
  'locations.renameClient': {
    kind: 'mutation',
    needs: 'edit_locations',
    // The old name is wrong: a conflict, so that nothing changes for later calls.
    input: ({ clientId }) => ({ ...operation(), id: clientId, name: { from: '', to: 'x' } }),
    outcome: { own: 'conflict' },
    adminOutcome: { own: 'conflict', other: 'conflict' },
  },
  'locations.renameFloor': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: ({ floorId }) => ({ ...operation(), id: floorId, name: { from: '', to: 'x' } }),
    outcome: { own: 'conflict' },
    adminOutcome: { own: 'conflict', other: 'conflict' },
  },
  'locations.updateBuilding': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({
      ...operation(),
      id: buildingId,
      changes: { address: { from: null, to: null } },
    }),
    largest: ({ siteId }) => ({
      ...operation(),
      id: siteId,
      changes: { isHealthcare: { from: false, to: true } },
    }),
  },
  // An id that does not exist, because the sweep needs its own places until the end.
  'locations.removeClient': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: () => ({ ...operation(), id: uuidv7() }),
    outcome: 'not_found',
    largest: sameRow(({ bigClientId }) => bigClientId),
  },
  'locations.removeBuilding': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: () => ({ ...operation(), id: uuidv7() }),
    outcome: 'not_found',
    largest: sameRow(({ siteId }) => siteId),
  },
  'locations.removeFloor': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: () => ({ ...operation(), id: uuidv7() }),
    outcome: 'not_found',
    largest: sameRow(({ siteFloorId }) => siteFloorId),
  },
  'locations.restoreFloor': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: ({ floorId }) => ({ ...operation(), id: floorId }),
    largest: sameRow(({ siteFloorId }) => siteFloorId),
  },
  'locations.restoreClient': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: ({ clientId }) => ({ ...operation(), id: clientId }),
    largest: sameRow(({ bigClientId }) => bigClientId),
  },
  'locations.restoreBuilding': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({ ...operation(), id: buildingId }),
    largest: sameRow(({ siteId }) => siteId),
  },
};
