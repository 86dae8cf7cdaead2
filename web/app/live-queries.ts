import { activityActors, activityList } from '../features/activity/activity.live.ts';
import {
  assetCounts,
  assetHistory,
  assetList,
  labelledAssets,
  oneAsset,
  someAssets,
} from '../features/assets/assets.live.ts';
import { heldOfMine, heldVisits } from '../features/checks/held/held.live.ts';
import { importedOfMine } from '../features/checks/held/imported.live.ts';
import {
  checkThread,
  logRecords,
  logYear,
  missingSites,
  outletTrend,
  yearGrid,
} from '../features/checks/log-book/checks-log.live.ts';
import {
  checkCards,
  raisedByMine,
  register,
  registerOfAsset,
  siteRegister,
} from '../features/checks/register.live.ts';
import { siteSchedule } from '../features/checks/schedules/site-schedule.live.ts';
import { issueComments } from '../features/issues/comments.live.ts';
import { issueHistory } from '../features/issues/issue-history.live.ts';
import { issueCounts, issueList, oneIssue } from '../features/issues/issues.live.ts';
import { myBuildings } from '../features/locations/my-buildings.live.ts';
import {
  allClients,
  archivedPlaces,
  buildingFloors,
  buildingList,
  clientList,
  oneBuilding,
  oneClient,
} from '../features/locations/places.live.ts';
import { photosOf } from '../features/photos/photos.live.ts';
import { disciplines } from '../features/users/disciplines.live.ts';
import { myNotices } from '../features/users/notices.live.ts';
import { people, roleHistory, sessionList } from '../features/users/people.live.ts';
import { liveRegistry } from '../live/registry.ts';

/**
 * Everything that the live stream keeps up to date. Does not compile while a live entity concerns nothing here. For the
 * compiler alone: a query makes itself known with its first use, and a page fetches the code of its own queries only.
 */
export const liveQueries = liveRegistry(
  issueList,
  issueCounts,
  oneIssue,
  issueComments,
  issueHistory,
  assetList,
  labelledAssets,
  assetCounts,
  oneAsset,
  someAssets,
  assetHistory,
  myBuildings,
  clientList,
  oneClient,
  buildingList,
  oneBuilding,
  buildingFloors,
  allClients,
  archivedPlaces,
  people,
  roleHistory,
  sessionList,
  myNotices,
  disciplines,
  photosOf,
  logYear,
  logRecords,
  yearGrid,
  missingSites,
  outletTrend,
  checkThread,
  register,
  siteRegister,
  registerOfAsset,
  checkCards,
  raisedByMine,
  heldVisits,
  heldOfMine,
  importedOfMine,
  siteSchedule,
  activityList,
  activityActors,
);
