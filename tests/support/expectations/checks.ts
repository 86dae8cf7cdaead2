import { addDays, dayOf } from '#shared/dates.ts';
import { CHECK_ENTRIES_MAX } from '#shared/features/checks/kinds.vocabulary.ts';
import { LOG_PAGE_MAX } from '#shared/features/checks/queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { EVERYWHERE_OK, type ExpectationsOf, nothing, operation } from './row.ts';

export const checks: ExpectationsOf<'checks'> = {
  'checks.register': {
    kind: 'query',
    needs: 'create_operative_tasks',
    input: ({ buildingId }) => ({ buildingIds: [buildingId] }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: ({ registered }) => ({ buildingIds: registered }),
  },
  'checks.cards': { kind: 'query', needs: 'view_logbook', input: nothing, outcome: 'ok' },
  'checks.logYear': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ buildingId }) => ({ kind: 'fire_alarm_test', year: 2026, buildingId }),
    largest: ({ loggedId, year }) => ({ kind: 'outlet_flushing', year, buildingId: loggedId }),
  },
  'checks.logRecords': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ buildingId }) => ({ filter: { kind: 'fire_alarm_test', buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: () => ({ filter: { kind: 'emergency_lighting_test' }, limit: LOG_PAGE_MAX }),
  },
  'checks.pastWeeks': { kind: 'query', needs: 'display', input: nothing },
  'checks.yearGrid': {
    kind: 'query',
    needs: 'view_logbook',
    input: () => ({ kind: 'fire_alarm_test', year: 2026 }),
    outcome: 'ok',
    largest: ({ year }) => ({ kind: 'fire_alarm_test', year }),
  },
  'checks.missing': {
    kind: 'query',
    needs: 'view_logbook',
    input: () => ({ kind: 'fire_alarm_test', day: '2026-03-06' }),
    outcome: 'ok',
    largest: ({ today }) => ({ kind: 'fire_alarm_test', day: today }),
  },
  'checks.trend': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ assetId }) => ({ assetId }),
    largest: ({ outletId }) => ({ assetId: outletId }),
  },
  'checks.thread': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ entryId }) => ({ entryId }),
    largest: ({ entryId }) => ({ entryId }),
  },
  'checks.raisedByMine': { kind: 'query', needs: 'create_operative_tasks', input: nothing, outcome: 'ok' },
  'checks.ofIssue': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ issueId }),
    largest: ({ raisedId }) => ({ issueId: raisedId }),
  },
  'checks.held': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'checks.heldOfMine': { kind: 'query', needs: 'create_operative_tasks', input: nothing, outcome: 'ok' },
  'checks.importedOfMine': { kind: 'query', needs: 'view_logbook', input: nothing, outcome: 'ok' },
  // A person may answer only for their own records, and no caller here has a record.
  'checks.answerImported': {
    kind: 'mutation',
    needs: 'view_logbook',
    input: ({ entryId }) => ({ ...operation(), id: entryId, confirmed: true }),
    outcome: 'not_found',
  },
  'checks.schedule': {
    kind: 'query',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ loggedId }) => ({ buildingId: loggedId }),
  },
  'checks.setSchedule': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({
      ...operation(),
      buildingId,
      kind: 'outlet_flushing',
      from: '2099-01-01',
      isDue: false,
      times: 1,
    }),
    largest: ({ loggedId, today }, n) => ({
      ...operation(),
      buildingId: loggedId,
      kind: 'outlet_flushing',
      from: addDays(today, 7 * (20 - n)),
      isDue: true,
      times: 1 + (n % 2),
    }),
  },
  'checks.record': {
    kind: 'mutation',
    needs: 'create_operative_tasks',
    declares: { orFormerly: true, provenByCommand: true },
    input: ({ buildingId }) => ({
      kind: 'fire_alarm_test',
      ...operation(),
      visitId: uuidv7(),
      buildingId,
      visitDate: dayOf(Date.now()),
      operativeName: 'From the sweep',
      performedAt: new Date().toISOString(),
      deviceNow: new Date().toISOString(),
      entries: [{ id: uuidv7(), locationTested: 'Anywhere', passed: true }],
    }),
    // A record for a building that is not the caller's is held, whether or not the building exists.
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: ({ registered, outlets }) =>
      visitOf('water_temperature_check', {
        buildingId: registered[0] ?? '',
        now: new Date().toISOString(),
        entries: outlets
          .slice(0, CHECK_ENTRIES_MAX)
          .map((id) => lineOf('water_temperature_check', 'pass', id)),
      }),
  },
  'checks.amend': {
    kind: 'mutation',
    needs: 'create_logbook_entries',
    // The kind differs from the kind of the entry, so that the entry, which other calls use, is not corrected.
    input: ({ entryId }) => ({
      kind: 'outlet_flushing',
      ...operation(),
      entryId,
      reason: 'From the sweep',
      entry: { id: uuidv7(), outletId: uuidv7(), isFlushed: true },
    }),
    outcome: 'not_found',
    largest: ({ entryId, outletId }) => ({
      ...operation(),
      kind: 'water_temperature_check',
      entryId,
      reason: 'Misread',
      entry: lineOf('water_temperature_check', 'pass', outletId),
    }),
  },
  'checks.explainMissed': {
    kind: 'mutation',
    needs: 'create_logbook_entries',
    // The current week is not over.
    input: ({ buildingId }) => ({
      ...operation(),
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
      ...operation(),
      id: uuidv7(),
      buildingId,
      name: `Point ${uuidv7()}`,
    }),
    largest: ({ registered }) => ({
      ...operation(),
      id: uuidv7(),
      buildingId: registered[1],
      name: `Door ${uuidv7()}`,
    }),
  },
  'checks.decideHeld': {
    kind: 'mutation',
    needs: 'manage_users',
    input: () => ({ ...operation(), id: uuidv7(), accept: true }),
    outcome: 'not_found',
    largest: ({ held }, n) => ({ ...operation(), id: held[n], accept: true }),
  },
};
