import type { z } from 'zod';
import { assetSchema } from './features/assets.ts';
import {
  checkVisitSchema,
  heldCheckSchema,
  importedCheckSchema,
  missedPeriodSchema,
  raisedIssueSchema,
  testPointSchema,
} from './features/checks/rows.ts';
import { disciplineSchema } from './features/disciplines.ts';
import { issueCommentSchema, issueSchema } from './features/issues.ts';
import { buildingSchema, buildingSummarySchema, clientSchema } from './features/locations.ts';
import { photoSchema } from './features/photos.ts';
import { changedPersonSchema, noticesSchema, sessionsSchema, signInEventSchema } from './features/users.ts';

/**
 * The schemas of all live entities, by name. A new one needs this entry, its audience in
 * `server/kernel/live-entities.ts`, and the queries that it concerns in `web/app/live-queries.ts`.
 */
export const liveEntities = {
  issue: issueSchema,
  issueComment: issueCommentSchema,
  asset: assetSchema,
  client: clientSchema,
  building: buildingSchema,
  place: buildingSummarySchema,
  person: changedPersonSchema,
  discipline: disciplineSchema,
  photo: photoSchema,
  checkVisit: checkVisitSchema,
  missedPeriod: missedPeriodSchema,
  testPoint: testPointSchema,
  heldCheck: heldCheckSchema,
  importedCheck: importedCheckSchema,
  session: sessionsSchema,
  signIn: signInEventSchema,
  notice: noticesSchema,
  raisedIssue: raisedIssueSchema,
} as const;
export type LiveEntity = keyof typeof liveEntities;
export type LiveRow<E extends LiveEntity> = z.infer<(typeof liveEntities)[E]>;
