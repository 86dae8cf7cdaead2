import { uuidv7 } from '#shared/ids.ts';
import { EVERYWHERE_OK, type ExpectationsOf, empty, nothing, operationId } from './row.ts';

export const locations: ExpectationsOf<'locations'> = {
  'locations.mine': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'locations.listClients': { kind: 'query', needs: 'view_locations', input: empty, outcome: 'ok' },
  'locations.listBuildings': {
    kind: 'query',
    needs: 'view_locations',
    input: ({ clientId }) => ({ clientId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'locations.listFloors': {
    kind: 'query',
    needs: 'view_locations',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'locations.client': {
    kind: 'query',
    needs: 'view_locations',
    input: ({ clientId }) => ({ id: clientId }),
    // Null if it does not exist or is not visible.
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'locations.building': {
    kind: 'query',
    needs: 'view_buildings',
    input: ({ buildingId }) => ({ id: buildingId }),
    // Null if it does not exist or is not visible.
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'locations.listArchived': { kind: 'query', needs: 'edit_locations', input: empty, outcome: 'ok' },
  'locations.clientRecords': {
    kind: 'query',
    needs: 'edit_locations',
    input: ({ clientId }) => ({ id: clientId }),
  },
  'locations.buildingRecords': {
    kind: 'query',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({ id: buildingId }),
  },
  'locations.floorRecords': {
    kind: 'query',
    needs: 'edit_locations',
    input: ({ floorId }) => ({ id: floorId }),
  },
  'locations.createClient': {
    kind: 'mutation',
    needs: 'create_locations',
    input: () => ({ operationId: operationId(), name: `Client ${uuidv7()}` }),
    outcome: 'ok',
  },
  'locations.createBuilding': {
    kind: 'mutation',
    needs: 'create_buildings',
    input: ({ clientId }) => ({ operationId: operationId(), clientId, name: 'From the sweep' }),
  },
  'locations.addFloors': {
    kind: 'mutation',
    needs: 'create_buildings',
    input: ({ buildingId }) => ({ operationId: operationId(), buildingId, floors: 1 }),
  },
  'locations.renameClient': {
    kind: 'mutation',
    needs: 'edit_locations',
    // The old name is wrong: a conflict, so that nothing changes for later calls.
    input: ({ clientId }) => ({ operationId: operationId(), id: clientId, name: { from: '', to: 'x' } }),
    outcome: { own: 'conflict' },
    adminOutcome: { own: 'conflict', other: 'conflict' },
  },
  'locations.renameFloor': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: ({ floorId }) => ({ operationId: operationId(), id: floorId, name: { from: '', to: 'x' } }),
    outcome: { own: 'conflict' },
    adminOutcome: { own: 'conflict', other: 'conflict' },
  },
  'locations.updateBuilding': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: buildingId,
      changes: { address: { from: null, to: null } },
    }),
  },
  // An id that does not exist, because the sweep needs its own places until the end.
  'locations.removeClient': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: () => ({ operationId: operationId(), id: uuidv7() }),
    outcome: 'not_found',
  },
  'locations.removeBuilding': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: () => ({ operationId: operationId(), id: uuidv7() }),
    outcome: 'not_found',
  },
  'locations.removeFloor': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: () => ({ operationId: operationId(), id: uuidv7() }),
    outcome: 'not_found',
  },
  'locations.restoreFloor': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: ({ floorId }) => ({ operationId: operationId(), id: floorId }),
  },
  'locations.restoreClient': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: ({ clientId }) => ({ operationId: operationId(), id: clientId }),
  },
  'locations.restoreBuilding': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({ operationId: operationId(), id: buildingId }),
  },
};
