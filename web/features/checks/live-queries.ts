import { heldOfMine, heldVisits } from './held/held.live.ts';
import { importedOfMine } from './held/imported.live.ts';
import {
  checkThread,
  logRecords,
  logYear,
  missingSites,
  outletTrend,
  yearGrid,
} from './log-book/checks-log.live.ts';
import { checkCards, raisedByMine, register, registerOfAsset, siteRegister } from './register.live.ts';
import { siteSchedule } from './schedules/site-schedule.live.ts';

export const liveQueries = [
  heldOfMine,
  heldVisits,
  importedOfMine,
  checkThread,
  logRecords,
  logYear,
  missingSites,
  outletTrend,
  yearGrid,
  checkCards,
  raisedByMine,
  register,
  registerOfAsset,
  siteRegister,
  siteSchedule,
] as const;
