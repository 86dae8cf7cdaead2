import { dayOf } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { EVERYWHERE_OK, type ExpectationsOf, nothing, operationId } from './row.ts';

export const checks: ExpectationsOf<'checks'> = {
  'checks.register': {
    kind: 'query',
    needs: 'create_operative_tasks',
    input: ({ buildingId }) => ({ buildingIds: [buildingId] }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'checks.cards': { kind: 'query', needs: 'view_logbook', input: nothing, outcome: 'ok' },
  'checks.logYear': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ buildingId }) => ({ kind: 'fire_alarm_test', year: 2026, buildingId }),
  },
  'checks.logRecords': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ buildingId }) => ({ filter: { kind: 'fire_alarm_test', buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'checks.pastWeeks': { kind: 'query', needs: 'display', input: nothing },
  'checks.yearGrid': {
    kind: 'query',
    needs: 'view_logbook',
    input: () => ({ kind: 'fire_alarm_test', year: 2026 }),
    outcome: 'ok',
  },
  'checks.missing': {
    kind: 'query',
    needs: 'view_logbook',
    input: () => ({ kind: 'fire_alarm_test', day: '2026-03-06' }),
    outcome: 'ok',
  },
  'checks.trend': { kind: 'query', needs: 'view_logbook', input: ({ assetId }) => ({ assetId }) },
  'checks.thread': { kind: 'query', needs: 'view_logbook', input: ({ entryId }) => ({ entryId }) },
  'checks.raisedByMine': { kind: 'query', needs: 'create_operative_tasks', input: nothing, outcome: 'ok' },
  'checks.ofIssue': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ issueId }),
  },
  'checks.held': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'checks.heldOfMine': { kind: 'query', needs: 'create_operative_tasks', input: nothing, outcome: 'ok' },
  'checks.importedOfMine': { kind: 'query', needs: 'view_logbook', input: nothing, outcome: 'ok' },
  // A person answers only for their own records, and no caller here has one.
  'checks.answerImported': {
    kind: 'mutation',
    needs: 'view_logbook',
    input: ({ entryId }) => ({ operationId: operationId(), id: entryId, confirmed: true }),
    outcome: 'not_found',
  },
  'checks.schedule': {
    kind: 'query',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'checks.setSchedule': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      buildingId,
      kind: 'outlet_flushing',
      from: '2099-01-01',
      isDue: false,
      times: 1,
    }),
  },
  'checks.record': {
    kind: 'mutation',
    needs: 'create_operative_tasks',
    input: ({ buildingId }) => ({
      kind: 'fire_alarm_test',
      operationId: operationId(),
      visitId: uuidv7(),
      buildingId,
      visitDate: dayOf(Date.now()),
      operativeName: 'From the sweep',
      performedAt: new Date().toISOString(),
      deviceNow: new Date().toISOString(),
      entries: [{ id: uuidv7(), locationTested: 'Anywhere', passed: true }],
    }),
    // Held if the building is not theirs, whether or not it exists.
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'checks.amend': {
    kind: 'mutation',
    needs: 'create_logbook_entries',
    // Of another kind than the entry, so that the entry used by other calls is not corrected.
    input: ({ entryId }) => ({
      kind: 'outlet_flushing',
      operationId: operationId(),
      entryId,
      reason: 'From the sweep',
      entry: { id: uuidv7(), outletId: uuidv7(), isFlushed: true },
    }),
    outcome: 'not_found',
  },
  'checks.explainMissed': {
    kind: 'mutation',
    needs: 'create_logbook_entries',
    // The current week is not over.
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      buildingId,
      kind: 'fire_alarm_test',
      day: dayOf(Date.now()),
      reason: 'From the sweep',
    }),
    outcome: { own: 'invalid' },
    adminOutcome: { own: 'invalid', other: 'invalid' },
  },
  'checks.addTestPoint': {
    kind: 'mutation',
    needs: 'create_operative_tasks',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      buildingId,
      name: `Point ${uuidv7()}`,
    }),
  },
  'checks.decideHeld': {
    kind: 'mutation',
    needs: 'manage_users',
    input: () => ({ operationId: operationId(), id: uuidv7(), accept: true }),
    outcome: 'not_found',
  },
};
