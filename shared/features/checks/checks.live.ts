import { liveEntity, liveEntityInBuilding, organisationStream } from '../../live-entity.ts';
import {
  checkVisitSchema,
  heldCheckSchema,
  importedCheckSchema,
  missedPeriodSchema,
  raisedIssueSchema,
  testPointSchema,
} from './rows.ts';

export const liveEntities = {
  checkVisit: liveEntityInBuilding(checkVisitSchema, 'view_logbook'),
  missedPeriod: liveEntityInBuilding(missedPeriodSchema, 'view_logbook'),
  testPoint: liveEntityInBuilding(testPointSchema, 'view_logbook'),
  // Sent to people who decide about held records and to the recorder, not by building: the recorder may have no access to it.
  heldCheck: liveEntity({
    schema: heldCheckSchema,
    audience: ({ recordedBy }) => ({ permission: 'manage_users', buildings: 'org', persons: [recordedBy] }),
    stream: organisationStream,
  }),
  // Only the person it is attributed to receives it; readers of the log receive the visit itself.
  importedCheck: liveEntity({
    schema: importedCheckSchema,
    audience: ({ personId }) => ({ permission: null, buildings: [], persons: [personId] }),
    stream: organisationStream,
  }),
  // Only the recorders of its checks receive it; people who see issues receive the issue itself.
  raisedIssue: liveEntity({
    schema: raisedIssueSchema,
    audience: ({ recordedBy }) => ({ permission: null, buildings: [], persons: recordedBy }),
    stream: organisationStream,
  }),
};
