import type { Issue } from '#shared/features/issues/issues.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createBuildings, createIssueRows } from '#tests/support/rows/population.ts';
import { startChild } from '#tests/support/server/child.ts';
import { type Figure, interleaved, median, round } from './figure.ts';
import type { WriteHandlers } from './processes/write-process.ts';
import type { Setting } from './setting.ts';

const WRITERS = 16;
const SECONDS = 4;

/** Changes per second, with events, positions and the hash chain, and without them. */
export async function writes(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('writes');
  const { rows, row } = await withLogin(database.ownerUrl, async (sql) => {
    const [building] = await createBuildings(sql, 1, 'R');
    if (building === undefined) throw new Error('no building');
    const made = await createIssueRows(sql, building, 2_000);
    const now = new Date().toISOString();
    const like: Issue = {
      id: made[0] ?? '',
      referenceNumber: `${building.code}-0001`,
      buildingId: building.id,
      buildingName: building.name,
      title: 'Lamp is out',
      description: 'Seen on the morning round; the switch was tried, the bulb was tried.',
      status: 'open',
      priority: 'medium',
      source: 'person',
      reportedBy: null,
      reportedByName: null,
      reportedByKey: null,
      assignedTo: null,
      assignedToName: null,
      createdAt: now,
      updatedAt: now,
      resolvedAt: null,
      respondedAt: null,
      respondDueAt: now,
      resolveDueAt: now,
      pauseReason: null,
      pausedAt: null,
      acknowledgedAt: null,
      acknowledgedByName: null,
      version: 1,
    };
    return { rows: made, row: like };
  });
  const writer = startChild<WriteHandlers>(new URL('./processes/write-process.ts', import.meta.url));
  setting.after(() => writer.kill());
  await writer.ask('open', { databaseUrl: database.appUrl, writers: WRITERS });
  const run = (withEvent: boolean, seconds = SECONDS) =>
    writer.ask('run', { rows, row, writers: WRITERS, seconds, withEvent });
  await run(true, 1);
  const perSecond = await interleaved(setting.rounds, {
    alone: () => run(false),
    withEvent: () => run(true),
  });
  return [
    {
      name: `row update with its event and chain, ${WRITERS} writers`,
      measured: `${round(median(perSecond.withEvent))} a second, in order and chained`,
      reference: `${round(median(perSecond.alone))} a second, the update alone`,
      value: median(perSecond.withEvent) / median(perSecond.alone),
      unit: '×',
      goal: { atLeast: 0.6 },
    },
  ];
}
