import type { Transaction } from '#db/client.ts';
import {
  DAY_MS,
  DEFAULT_TIME_ZONE,
  dayOf,
  HOUR_MS,
  instantOf,
  MINUTE_MS,
  startOfDay,
} from '#shared/dates.ts';
import type { UpdateIssueInput } from '#shared/features/issues/issues.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Role } from '#shared/permissions.ts';
import { createAsset, retireAsset, updateAsset } from '../features/assets/assets.commands.ts';
import { commentIssue, createIssue, updateIssue } from '../features/issues/issues.commands.ts';
import { getIssue } from '../features/issues/issues.queries.ts';
import type { Services, SignedInContext } from '../kernel/context.ts';
import { recorder } from '../kernel/recorder.ts';
import { SAMPLE_PASSWORD, SAMPLE_PEOPLE, SHOWN_ACCOUNTS } from './portfolio.ts';
import { SAMPLE_ASSETS, type SampleAsset } from './sample-assets.ts';
import { recordSampleChecks } from './sample-checks.ts';
import { tellDocuments } from './sample-documents.ts';
import { raiseSampleIssue, type SampleFailure, sampleFailures } from './sample-failures.ts';
import { SAMPLE_ISSUES, type SampleIssue } from './sample-issues.ts';
import { createSamplePerson, type SampleActor } from './sample-people.ts';
import { createSamplePlaces, floorIdsOf } from './sample-places.ts';
import { addCheckTask, SAMPLE_CHECK_TASKS, SAMPLE_TASKS, tellTask } from './sample-tasks.ts';
import { type Step, stepsOf } from './stories.ts';

/** Places and people exist before the first record: the log book begins with 2025, or a year ago. */
const OPENED_DAYS_AGO = 430;
const OPENED_BY = '2024-11-04';

export type SampleData = { accounts: { email: string; role: Role }[]; password: string };

/**
 * Fills an empty database with a realistic portfolio: places, people, assets, tasks, documents, and two months of issues.
 * Except for places, people and checks, all rows are made by the real commands with a clock that moves along, so that their
 * history is in the event log. All rows are written in one transaction, so that an interruption leaves the database empty; it
 * may leave bytes of documents without a row, which are swept (decision 158).
 * @param options.password password of all accounts; the documented one if absent
 * @param options.allow runs first, inside the transaction; throws to forbid it
 */
export async function createSampleData(
  services: Services,
  options: { password?: string; allow?: (tx: Transaction) => Promise<void> } = {},
): Promise<SampleData> {
  const { password = SAMPLE_PASSWORD, allow } = options;
  const passwordHash = await services.passwords.hash(password);
  await services.db.transaction(async (tx) => {
    await allow?.(tx);
    await fill(services, tx, passwordHash);
  });
  services.sequencer.schedule();
  return {
    accounts: SAMPLE_PEOPLE.slice(0, SHOWN_ACCOUNTS).map(({ email, role }) => ({ email, role })),
    password,
  };
}

async function fill(services: Services, tx: Transaction, passwordHash: string): Promise<void> {
  const now = services.clock.now().getTime();
  const opened = Math.min(now - OPENED_DAYS_AGO * DAY_MS, startOfDay(OPENED_BY, DEFAULT_TIME_ZONE));
  const at = new Date(opened).toISOString();
  const recording = recorder(tx, { command: 'session.setup', actor: null, operationId: null, at });
  const buildingIds = await createSamplePlaces(tx, recording, at);
  const people: SampleActor[] = [];
  for (const person of SAMPLE_PEOPLE) {
    people.push(await createSamplePerson(tx, recording, person, { at, passwordHash, buildingIds }));
  }
  // Sorted by time, because that is the order in which events are recorded.
  const floorIds = await floorIdsOf(tx);
  const failures = sampleFailures(now, buildingIds);
  const happenings = [
    ...[...SAMPLE_ASSETS].flatMap(([code, assets]) =>
      assets.flatMap((asset, index) =>
        bringIn(asset, index, now, { code, buildingIds, floorIds, people, opened }),
      ),
    ),
    ...SAMPLE_ISSUES.flatMap((issue, index) => tell(issue, index, now, buildingIds, people)),
    ...failures.flatMap((failure) => followUp(failure, now, people)),
    ...SAMPLE_TASKS.flatMap((task, index) => {
      const { buildingId, keeper } = keptBuilding(task[0], buildingIds, people);
      return tellTask(task, index, now, buildingId).map((step) => ({ ...step, by: keeper }));
    }),
    ...tellDocuments(now, opened, buildingIds).map(({ keptAt, ...step }) => ({
      ...step,
      by: keptAt === undefined ? administratorOf(people) : keptBuilding(keptAt, buildingIds, people).keeper,
    })),
  ].sort((a, b) => a.at - b.at);
  // Inside the transaction each command runs in a savepoint.
  const inside = { ...services, db: tx };
  for (const happening of happenings) await happening.run(contextAt(inside, happening));
  await recordSampleChecks(tx, { now, buildingIds, people, failures });
  for (const [code, complianceSystem, check] of SAMPLE_CHECK_TASKS) {
    const { buildingId, keeper } = keptBuilding(code, buildingIds, people);
    await addCheckTask(contextAt(inside, { at: now, by: keeper }), buildingId, { complianceSystem, check });
  }
}

function administratorOf(people: readonly SampleActor[]): SampleActor {
  const found = people.find(({ actor }) => actor.role === 'admin');
  if (found === undefined) throw new Error('the sample has no administrator');
  return found;
}

/** A building of the portfolio, with its manager. */
function keptBuilding(
  code: string,
  buildingIds: ReadonlyMap<string, string>,
  people: readonly SampleActor[],
) {
  const buildingId = buildingIds.get(code);
  const [keeper] = peopleAt(people, code, 'manager');
  if (buildingId === undefined || keeper === undefined) {
    throw new Error(`no person looks after ${code} in the sample`);
  }
  return { buildingId, keeper };
}

type Happening = { at: number; by: SampleActor; run(ctx: SignedInContext): Promise<unknown> };

type Register = {
  code: string;
  buildingIds: ReadonlyMap<string, string>;
  /** Keyed by the building's id and level. */
  floorIds: ReadonlyMap<string, string>;
  people: readonly SampleActor[];
  /** Unix milliseconds. */
  opened: number;
};

/** Registers an asset in the first days, by the manager of its building. */
function bringIn(asset: SampleAsset, index: number, now: number, register: Register): Happening[] {
  const { code, buildingIds, floorIds, people, opened } = register;
  const { buildingId, keeper } = keptBuilding(code, buildingIds, people);
  const { level, room, visitedDaysAgo, retired, outletKind = null, ...fields } = asset;
  const id = uuidv7(now);
  const at = opened + DAY_MS + index * MINUTE_MS;
  const floorId = level === undefined ? null : (floorIds.get(`${buildingId} ${level}`) ?? null);
  const retiredAt = at + 30 * DAY_MS;
  const visitedAt = visitedDaysAgo === undefined ? undefined : now - visitedDaysAgo * DAY_MS;
  const visitedOn = visitedAt === undefined ? null : dayOf(visitedAt, DEFAULT_TIME_ZONE);
  const isVisitedLater = visitedAt !== undefined && visitedAt > at;
  const made: Happening = {
    at,
    by: keeper,
    run: (ctx) =>
      createAsset(ctx, {
        operationId: uuidv7(),
        id,
        buildingId,
        floorId,
        roomName: room,
        outletKind,
        quantity: 1,
        lastVisitDate: isVisitedLater ? null : visitedOn,
        ...fields,
      }),
  };
  const visited: Happening = {
    at: visitedAt ?? at,
    by: keeper,
    run: (ctx) =>
      updateAsset(ctx, {
        operationId: uuidv7(),
        id,
        changes: { lastVisitDate: { from: null, to: visitedOn } },
      }),
  };
  if (retired !== true) return isVisitedLater ? [made, visited] : [made];
  const run = (ctx: SignedInContext) => retireAsset(ctx, { operationId: uuidv7(), id });
  return [made, { at: retiredAt, by: keeper, run }];
}

/** The history of an issue, from its report to its present status. */
function tell(
  issue: SampleIssue,
  index: number,
  now: number,
  buildingIds: ReadonlyMap<string, string>,
  people: readonly SampleActor[],
): Happening[] {
  const [code, hoursAgo, priority, story, title, description, ...comments] = issue;
  const buildingId = buildingIds.get(code);
  const keepers = peopleAt(people, code, 'manager');
  const reporters = [...peopleAt(people, code, 'viewer'), ...keepers];
  const keeper = keepers[index % keepers.length];
  const reporter = reporters[index % reporters.length];
  if (buildingId === undefined || keeper === undefined || reporter === undefined) {
    throw new Error(`no person looks after ${code} in the sample`);
  }
  const id = uuidv7(now);
  const reportedAt = momentOfReport(now, hoursAgo, index);
  const report: Happening = {
    at: reportedAt,
    by: reporter,
    run: (ctx) => createIssue(ctx, { operationId: uuidv7(), id, buildingId, title, description, priority }),
  };
  const steps = stepsOf(story, comments.length);
  // If the steps take longer than the issue's age, they are compressed.
  const lastMs = (steps.at(-1)?.afterMinutes ?? 0) * MINUTE_MS;
  const pace = Math.min(1, ((now - reportedAt) * 0.9) / Math.max(lastMs, 1));
  const followUps = steps.map(
    (step): Happening => ({
      at: reportedAt + Math.round(step.afterMinutes * MINUTE_MS * pace),
      by: keeper,
      run: (ctx) => take(ctx, id, step, comments),
    }),
  );
  return [report, ...followUps];
}

/** The history of an issue raised by a failed check, up to its present status. */
function followUp(failure: SampleFailure, now: number, people: readonly SampleActor[]): Happening[] {
  const [keeper] = peopleAt(people, failure.code, 'manager');
  if (keeper === undefined) throw new Error(`no person looks after ${failure.code} in the sample`);
  const raise: Happening = {
    at: failure.at,
    by: peopleAt(people, failure.code, 'operative')[0] ?? keeper,
    run: async (ctx) => {
      failure.issueId = await raiseSampleIssue(ctx, failure);
    },
  };
  const steps = stepsOf(failure.story, failure.comments.length);
  const last = (steps.at(-1)?.afterMinutes ?? 0) * MINUTE_MS;
  const pace = Math.min(1, ((now - failure.at) * 0.9) / Math.max(last, 1));
  return [
    raise,
    ...steps.map(
      (step): Happening => ({
        at: failure.at + Math.round(step.afterMinutes * MINUTE_MS * pace),
        by: keeper,
        run: (ctx) => take(ctx, failure.issueId, step, failure.comments),
      }),
    ),
  ];
}

function peopleAt(people: readonly SampleActor[], code: string, role: Role): SampleActor[] {
  return people.filter(({ actor, buildings }) => actor.role === role && buildings.includes(code));
}

/** The time of a report: older reports fall within working hours, today's are exactly this many hours ago. */
function momentOfReport(now: number, hoursAgo: number, index: number): number {
  const plain = now - hoursAgo * HOUR_MS - (index % 60) * MINUTE_MS;
  if (hoursAgo < 24) return plain;
  const time = `${String(8 + (index % 9)).padStart(2, '0')}:${String((index * 7) % 60).padStart(2, '0')}`;
  return Math.min(instantOf(dayOf(plain, DEFAULT_TIME_ZONE), time, DEFAULT_TIME_ZONE), now - 20 * HOUR_MS);
}

async function take(
  ctx: SignedInContext,
  id: string,
  step: Step,
  comments: readonly string[],
): Promise<void> {
  if ('comment' in step) {
    const body = comments[step.comment] ?? '';
    await commentIssue(ctx, { operationId: uuidv7(), id: uuidv7(), issueId: id, body });
    return;
  }
  const issue = await getIssue(ctx.services.db, ctx.actor, id);
  const { assign, status, pauseReason } = step.change;
  const changes: UpdateIssueInput['changes'] = {
    ...(assign === true ? { assignedTo: { from: issue.assignedTo, to: ctx.actor.userId } } : {}),
    ...(status === undefined ? {} : { status: { from: issue.status, to: status } }),
    ...(pauseReason === undefined ? {} : { pauseReason: { from: issue.pauseReason, to: pauseReason } }),
  };
  await updateIssue(ctx, { operationId: uuidv7(), id, changes });
}

/** The context of a call that a person made at another time. */
function contextAt(services: Services, { at, by }: Pick<Happening, 'at' | 'by'>): SignedInContext {
  return {
    services: {
      ...services,
      clock: { now: () => new Date(at) },
      // Scheduled once at the end instead.
      sequencer: { schedule: () => {} },
    },
    actor: by.actor,
    requestId: '',
    address: '',
    userAgent: '',
    setCookie: () => {},
  };
}
