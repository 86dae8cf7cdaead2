import { disciplines } from './disciplines.live.ts';
import { myNotices } from './notices/notices.live.ts';
import { people, providerAccounts, roleHistory, sessionList } from './people.live.ts';
import { myPasskeys, mySecondFactor, secondFactor } from './second-factor.live.ts';

export const liveQueries = [
  disciplines,
  myNotices,
  myPasskeys,
  mySecondFactor,
  secondFactor,
  people,
  providerAccounts,
  roleHistory,
  sessionList,
] as const;
