import { parse } from 'csv-parse/sync';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { taskLines } from '#db/schema/tasks.ts';
import { readLines, recordOf } from '#server/features/tasks/task-lines.ts';
import { IMPORT_MAX_BYTES, templateOf } from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { readRecord } from '#shared/features/tasks/task-record.ts';
import { BUILDING_TASKS_MAX } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import {
  createLiveSetting,
  type LiveSetting,
  type SignedInPerson,
} from '#tests/support/live/live-setting.ts';
import { createBuilding, type TestBuilding } from '#tests/support/rows/factories.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { checkFile, download, runFile, upload } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const clock = testClock('2026-11-22T12:00:00.000Z');
const HEADER = 'Building Name,System,Description,Frequency,Responsible,Last Done,Certificate Until';

let setting: LiveSetting;
let second: TestServer;
let site: TestBuilding;
let manager: SignedInPerson;

beforeAll(async () => {
  setting = await createLiveSetting({ clock });
  second = await startTestServer(setting.database, { clock });
});
afterAll(async () => {
  await second.stop();
  await setting.end();
});
beforeEach(async () => {
  site = await createBuilding(setting.server.services);
  manager = await setting.someone('manager', [site]);
});
afterEach(() => setting.closeStreams());

const file = (...rows: string[]) => [HEADER, ...rows.map((row) => `${site.name},${row}`)].join('\n');
const check = (text: string) => checkFile(setting.server.url, manager.cookie, 'tasks', text);
const run = async (text: string, operationId?: string) =>
  (await runFile(setting.server.url, manager.cookie, 'tasks', text, operationId)).at(-1);
const list = async (buildingId = site.id) =>
  (await manager.client.tasks.list.query({ buildingId })).data.tasks;

describe('a file of tasks that is checked', () => {
  test('has each fault at its row and column, and stores nothing', async () => {
    const other = await createBuilding(setting.server.services);
    const check1 = await check(
      [
        file(
          'Fire Alarm,Service,Biannually,Firewatch,2026-05-01,',
          'Fire Alarm,Test,fortnightly,,,',
          ',,,,,',
          'Gas,Check,annual,,2026-11-23,',
          'Gas,Old,annual,,22/11/1996,',
          'Gas,Older,annual,,21/11/1996,',
          'Gas,Wrong day,annual,,31/02/2026,',
          'Lift,LOLER,As the certificate states,,2026-05-01,',
          'Lift,LOLER 2,As the certificate states,,2026-05-01,2026-05-01',
          'Lift,LOLER 3,As the certificate states,,2026-05-01,9999-12-31',
          'Lift,LOLER 4,As the certificate states,,,2027-01-01',
          'Lift,LOLER 5,Monthly,,2026-05-01,2027-01-01',
          'fire alarm,SERVICE,Weekly,,,',
        ),
        `${other.name},Gas,Check,Weekly,,,`,
      ].join('\n'),
    );
    expect(check1.rows.map(({ line, faults }) => [line, faults])).toEqual([
      [2, []],
      [3, [{ column: 'Frequency', text: importMessages.frequencyUnknown }]],
      [
        4,
        [
          { column: 'System', text: taskMessages.systemRequired },
          { column: 'Description', text: taskMessages.descriptionRequired },
          { column: 'Frequency', text: taskMessages.frequencyRequired },
        ],
      ],
      [5, [{ column: 'Last Done', text: taskMessages.completionFuture }]],
      [6, []],
      [7, [{ column: 'Last Done', text: taskMessages.completionTooOld }]],
      [8, [{ column: 'Last Done', text: messages.common.dateInvalid }]],
      [9, [{ column: 'Certificate Until', text: taskMessages.statedRequired }]],
      [10, [{ column: 'Certificate Until', text: taskMessages.statedTooEarly }]],
      [11, [{ column: 'Certificate Until', text: taskMessages.statedTooLate }]],
      [12, [{ column: 'Last Done', text: importMessages.lastDoneRequired }]],
      [13, [{ column: 'Certificate Until', text: importMessages.notStated }]],
      [14, [{ column: 'Description', text: importMessages.twice(2) }]],
      [15, [{ column: 'Building Name', text: importMessages.buildingUnknown(other.name) }]],
    ]);
    expect(await list()).toEqual([]);
  });

  test('is refused where it has another column, is too large, or comes from a person who may not add tasks', async () => {
    const sentence = async (cookie: string, body: BodyInit) => {
      const response = await upload(setting.server.url, cookie, 'tasks/check', body);
      return [response.status, JSON.parse(await response.text()).error.data.app.message];
    };
    expect(await sentence(manager.cookie, `${HEADER},Due\n`)).toEqual([
      400,
      importMessages.columnUnknown('Due'),
    ]);
    expect(await sentence(manager.cookie, 'Building Name,System,Description\nA,B,C')).toEqual([
      400,
      importMessages.columnMissing('Frequency'),
    ]);
    const large = new Uint8Array(IMPORT_MAX_BYTES + 1).fill(97);
    expect(await sentence(manager.cookie, large)).toEqual([413, importMessages.tooLarge(10)]);
    for (const role of ['operative', 'viewer'] as const) {
      const { cookie } = await setting.someone(role, [site]);
      expect((await upload(setting.server.url, cookie, 'tasks/check', file())).status).toBe(403);
      const path = `tasks/run?operationId=${uuidv7()}`;
      expect((await upload(setting.server.url, cookie, path, file())).status).toBe(403);
    }
  });

  test('has no fault in the template, where its building is there', async () => {
    const template = templateOf('tasks').replace('Harbour House', site.name).replace('Northgate Estates', '');
    expect((await check(template)).faulty).toBe(0);
  });

  test('is told where a building would have too many', async () => {
    const rows = Array.from({ length: BUILDING_TASKS_MAX + 1 }, (_, n) => `Fire,Door ${n},Weekly,,,`);
    const { rows: checked, faulty } = await check(file(...rows));
    expect(faulty).toBe(1);
    expect(checked.at(-1)?.faults).toEqual([
      { column: 'Building Name', text: taskMessages.tooMany(BUILDING_TASKS_MAX) },
    ]);
  });
});

describe('a file of tasks that is imported', () => {
  test('adds them in the order of the file, with numbers, dates and records, and one event for each building', async () => {
    const other = await createBuilding(setting.server.services);
    await manager.client.tasks.create.mutate({
      ...{ operationId: uuidv7(), id: uuidv7(), buildingId: site.id },
      ...{ complianceSystem: 'Before', taskDescription: 'There', frequency: 'weekly' },
    });
    const { admin } = setting;
    const stream = await setting.followed(admin.cookie);
    const heard = () =>
      stream.events
        .filter(({ command }) => command === 'imports.tasks')
        .map(({ op, entity, entityId }) => ({ op, entity, entityId }));
    const text = [
      file(
        'Fire Alarm,Service,Biannually,Firewatch,2026-05-25,',
        'Fire Doors,Check,Quarterly,,,',
        'Lift,LOLER,As the certificate states,Otis,01/05/2026,2027-04-30',
      ),
      `${other.name},Gas,Check,Annually,,2025-11-22,`,
    ].join('\n');
    const done = await runFile(setting.server.url, admin.cookie, 'tasks', text);
    expect(done.at(-1)).toEqual({ result: { count: 4 } });
    await expect.poll(heard).toHaveLength(2);
    expect(heard()).toEqual(
      expect.arrayContaining([site, other].map(({ id }) => ({ op: 'bulk', entity: 'task', entityId: id }))),
    );

    const tasks = (await list()).filter(({ complianceSystem }) => complianceSystem !== 'Before');
    const number = (n: number) => expect.stringMatching(new RegExp(`-T000${n}$`));
    expect(tasks).toEqual([
      expect.objectContaining({
        ...{ taskNumber: number(3), complianceSystem: 'Fire Doors', responsiblePerson: '' },
        ...{ due: '2026-11-22', coveredUntil: null, completedOn: null, completedByName: null },
      }),
      expect.objectContaining({
        ...{ taskNumber: number(2), responsiblePerson: 'Firewatch', frequency: 'biannually' },
        ...{ due: '2026-11-25', coveredUntil: '2026-11-25', completedOn: '2026-05-25', occurrence: 1 },
      }),
      expect.objectContaining({ taskNumber: number(4), due: '2027-04-30', coveredUntil: '2027-04-30' }),
    ]);
    const { tasks: there } = (await admin.client.tasks.list.query({ buildingId: other.id })).data;
    expect(there).toEqual([expect.objectContaining({ taskNumber: number(1), due: '2026-11-22' })]);
    for (const task of [...tasks, ...there]) {
      const lines = await setting.server.services.db.transaction((tx) => readLines(tx, task.id));
      const { anchor, gridDay, due, coveredUntil, completedOn, markedOn } = task;
      const { dates, completion } = readRecord(recordOf(lines));
      expect(dates).toEqual({ anchor, gridDay, due, coveredUntil, completedOn, markedOn });
      expect(completion).toBe(task.completionId);
    }
    // The next task takes the next number.
    const next = await manager.client.tasks.nextNumber.query({ buildingId: site.id });
    expect(next.taskNumber).toEqual(number(5));
  });

  test('says where a task is due on another day than its list says', async () => {
    const header = `${HEADER},Due Date`;
    const text = (due: string) => `${header}\n${site.name},Gas,Boilers,Annually,,2026-05-01,,${due}`;
    const noteOf = async (due: string) => (await check(text(due))).rows[0]?.note;
    expect(await noteOf('2027-03-01')).toBe(importMessages.dueOtherwise('2027-05-01', '2027-03-01'));
    expect(await noteOf('2027-05-01')).toBeNull();
    expect(await noteOf('')).toBeNull();
    expect(await run(text('2027-03-01'))).toEqual({ result: { count: 1 } });
    expect(await list()).toMatchObject([{ due: '2027-05-01' }]);
    // A task that exists already is skipped, so the file has no note about its due day.
    expect((await check(text('2027-03-01'))).rows).toMatchObject([{ skip: 'here', note: null }]);
  });

  test('marks what the file says is not compliant, in the record, too', async () => {
    const text = `${HEADER},Non-compliant Because\n${site.name},Gas,Service,Annually,,2026-05-01,,"Flue leaks"`;
    expect(await run(text)).toEqual({ result: { count: 1 } });
    const [task] = await list();
    if (task === undefined) throw new Error('no task');
    expect(task).toMatchObject({ markedOn: '2026-11-22', markReason: 'Flue leaks', occurrence: 2 });
    const lines = await setting.server.services.db.transaction((tx) => readLines(tx, task.id));
    const { dates, mark } = readRecord(recordOf(lines));
    const { anchor, gridDay, due, coveredUntil, completedOn, markedOn } = task;
    expect([dates, mark]).toEqual([
      { anchor, gridDay, due, coveredUntil, completedOn, markedOn },
      task.markId,
    ]);
    // A completion ends this mark like any other, and rows of the same file still match the task.
    const done = { operationId: uuidv7(), id: task.id, occurrence: 2, day: '2026-11-22' };
    await manager.client.tasks.complete.mutate(done);
    expect((await list())[0]?.markedOn).toBeNull();
    expect((await check(text)).rows.map(({ skip }) => skip)).toEqual(['here']);
    const long = text.replace('Flue leaks', 'x'.repeat(501)).replace('Service', 'Other');
    expect((await check(long)).rows[0]?.faults).toEqual([
      { column: 'Non-compliant Because', text: messages.common.tooLong(500) },
    ]);
  });

  test('once: the same file again has its rows there already, and the same operation is done once', async () => {
    const text = file('Fire Alarm,Service,Biannually,,,', 'Fire Doors,Check,Quarterly,,,');
    const operationId = uuidv7();
    expect(await run(text, operationId)).toEqual({ result: { count: 2 } });
    expect(await run(text, operationId)).toEqual({ result: { count: 2 } });
    expect(await list()).toHaveLength(2);
    expect((await check(text)).rows.map(({ skip }) => skip)).toEqual(['here', 'here']);
    expect(await run(text)).toEqual({ result: { count: 0, skipped: { here: 2, ended: 0 } } });
    expect(await list()).toHaveLength(2);
    // Retired tasks do not prevent another import.
    for (const { id } of await list()) {
      await manager.client.tasks.retire.mutate({ operationId: uuidv7(), id, reason: 'Sold' });
    }
    expect((await check(text)).rows.map(({ skip }) => skip)).toEqual([null, null]);
  });

  test('of two people on two servers at once, one stores it and the other is told', async () => {
    const colleague = await setting.someone('manager', [site]);
    const text = file(...Array.from({ length: 300 }, (_, n) => `Fire Doors,Door ${n},Weekly,,,`));
    const ends = await Promise.all([
      runFile(setting.server.url, manager.cookie, 'tasks', text),
      runFile(second.url, colleague.cookie, 'tasks', text),
    ]);
    const last = ends.map((lines) => lines.at(-1));
    expect(last).toContainEqual({ result: { count: 300 } });
    // The other import looked its rows up before the first one had stored them, or after that.
    const conflict = { error: { code: 'conflict', message: importMessages.outdated } };
    const here = { result: { count: 0, skipped: { here: 300, ended: 0 } } };
    const others = last.filter((end) => JSON.stringify(end) !== JSON.stringify({ result: { count: 300 } }));
    expect([[conflict], [here]]).toContainEqual(others);
    const tasks = await list();
    expect(tasks).toHaveLength(300);
    expect(new Set(tasks.map(({ taskNumber }) => taskNumber)).size).toBe(300);
    const lines = await setting.server.services.db.$count(taskLines, eq(taskLines.buildingId, site.id));
    expect(lines).toBe(300);
  });

  test('takes the frequencies of an exported list', async () => {
    await run(file('Fire Doors,Check,Last Friday of the month,,,', 'Gas,Check,Every 14 months,,,'));
    const text = await (
      await download(setting.server.url, manager.cookie, 'tasks', { buildingId: site.id })
    ).text();
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
    const again = file(...rows.map((row) => `Again,${row['Task ID']},"${row['Frequency']}",,,`));
    expect(await run(again)).toEqual({ result: { count: 2 } });
    expect((await list()).map(({ frequency }) => frequency).sort()).toEqual(
      ['P14M', 'P14M', 'P1M/last-5', 'P1M/last-5'].sort(),
    );
  });
});
