import { myBuildings } from './pickers/my-buildings.live.ts';
import {
  allClients,
  archivedPlaces,
  buildingFloors,
  buildingList,
  clientList,
  oneBuilding,
  oneClient,
} from './places.live.ts';

export const liveQueries = [
  myBuildings,
  allClients,
  archivedPlaces,
  buildingFloors,
  buildingList,
  clientList,
  oneBuilding,
  oneClient,
] as const;
