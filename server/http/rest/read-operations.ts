import { z } from 'zod';
import { assetIdInput, assetSchema, listAssetsInput } from '#shared/features/assets/assets.ts';
import type { LogPage } from '#shared/features/checks/procedure-answers.ts';
import { logRecordsInput } from '#shared/features/checks/queries.ts';
import { checkVisitSchema } from '#shared/features/checks/rows.ts';
import {
  type IssueComment,
  issueCommentSchema,
  issueCommentsInput,
  issueIdInput,
  issueSchema,
  listIssuesInput,
} from '#shared/features/issues/issues.ts';
import {
  listBuildingsInput,
  listClientsInput,
  listFloorsInput,
  placeIdInput,
} from '#shared/features/locations/locations.inputs.ts';
import { buildingSchema, clientRowSchema, floorSchema } from '#shared/features/locations/locations.ts';
import { isOverdue, statusOn, TASK_STATUSES } from '#shared/features/tasks/task-schedule.ts';
import {
  listTasksInput,
  recordedLineSchema,
  type Task,
  type TaskList,
  taskIdInput,
  taskSchema,
} from '#shared/features/tasks/tasks.ts';
import { personSchema } from '#shared/features/users/users.ts';
import { PEOPLE_MAX } from '#shared/features/users/users.vocabulary.ts';
import type { ApiObject, Page, ReadOperation } from './operation.ts';

const issue = { name: 'Issue', schema: issueSchema };
const comment = { name: 'Comment', schema: issueCommentSchema };
const task: ApiObject = {
  name: 'Task',
  /** `status` is null where none counts: the task is retired, or the site's schedule says that nothing is due. */
  schema: taskSchema.extend({ status: z.enum(TASK_STATUSES).nullable(), isOverdue: z.boolean() }),
  derive(row, today) {
    // The cast: a row of the same schema.
    const one = row as Task;
    const counts = one.isDue && one.retiredAt === null;
    return { status: counts ? statusOn(one, today) : null, isOverdue: counts && isOverdue(one, today) };
  },
};
const line = { name: 'TaskLine', schema: recordedLineSchema };
const record = { name: 'LogRecord', schema: checkVisitSchema };
const asset = { name: 'Asset', schema: assetSchema };
const client = { name: 'Client', schema: clientRowSchema };
const building = { name: 'Building', schema: buildingSchema };
const floor = { name: 'Floor', schema: floorSchema };
// Without the buildings that a person sees: a key may see fewer.
const person = { name: 'Person', schema: personSchema.omit({ buildings: true }) };

// The casts: a procedure's answer is known where it is defined, and a test validates each operation's.
const asPage = (answer: unknown) => answer as Page;
const wholeList = (rows: unknown): Page => ({ rows: rows as object[], nextCursor: null });

/** The operations that read. */
export const readOperations = [
  {
    method: 'get',
    id: 'listIssues',
    path: '/issues',
    summary: 'List issues, newest first',
    procedure: 'issues.list',
    input: listIssuesInput,
    permission: 'view_building_issues',
    object: issue,
    answers: 'many',
    pageOf: asPage,
  },
  {
    method: 'get',
    id: 'getIssue',
    path: '/issues/{id}',
    summary: 'Read an issue',
    procedure: 'issues.get',
    input: issueIdInput,
    permission: 'view_building_issues',
    object: issue,
    answers: 'one',
  },
  {
    method: 'get',
    id: 'listComments',
    path: '/issues/{id}/comments',
    summary: 'List the comments of an issue: the newest, oldest first; the next page has earlier ones',
    procedure: 'issues.comments',
    input: issueCommentsInput,
    permission: 'view_building_issues',
    object: comment,
    answers: 'many',
    pageOf(answer, { limit }) {
      const rows = answer as IssueComment[];
      const [first] = rows;
      const isFull = first !== undefined && rows.length === limit;
      return { rows, nextCursor: isFull ? { createdAt: first.createdAt, id: first.id } : null };
    },
  },
  {
    method: 'get',
    id: 'listTasks',
    path: '/tasks',
    summary: 'List the compliance tasks of a building that are in use, by due date',
    procedure: 'tasks.list',
    input: listTasksInput,
    // Only the first of them would be answered.
    without: ['retired'],
    permission: 'view_tasks',
    object: task,
    answers: 'many',
    pageOf: (answer) => wholeList((answer as TaskList).tasks),
  },
  {
    method: 'get',
    id: 'getTask',
    path: '/tasks/{id}',
    summary: 'Read a compliance task',
    procedure: 'tasks.get',
    input: taskIdInput,
    permission: 'view_tasks',
    object: task,
    answers: 'one',
  },
  {
    method: 'get',
    id: 'listTaskLines',
    path: '/tasks/{id}/record',
    summary: 'Read the record of a compliance task, the first line first',
    procedure: 'tasks.record',
    input: taskIdInput,
    permission: 'view_tasks',
    object: line,
    answers: 'many',
    pageOf: wholeList,
  },
  {
    method: 'get',
    id: 'listLogRecords',
    path: '/log-records',
    summary: 'List the records of one kind of safety check, newest first, with their entries and corrections',
    procedure: 'checks.logRecords',
    input: logRecordsInput,
    permission: 'view_logbook',
    object: record,
    answers: 'many',
    pageOf(answer) {
      const { visits, nextCursor } = answer as LogPage;
      return { rows: visits, nextCursor };
    },
  },
  {
    method: 'get',
    id: 'listAssets',
    path: '/assets',
    summary: 'List assets, by name unless another order is asked for',
    procedure: 'assets.list',
    input: listAssetsInput,
    permission: 'view_assets',
    object: asset,
    answers: 'many',
    pageOf: asPage,
  },
  {
    method: 'get',
    id: 'getAsset',
    path: '/assets/{id}',
    summary: 'Read an asset',
    procedure: 'assets.get',
    input: assetIdInput,
    permission: 'view_assets',
    object: asset,
    answers: 'one',
  },
  {
    method: 'get',
    id: 'listClients',
    path: '/clients',
    summary: 'List clients, by name',
    procedure: 'locations.listClients',
    input: listClientsInput,
    permission: 'view_locations',
    object: client,
    answers: 'many',
    pageOf: asPage,
  },
  {
    method: 'get',
    id: 'getClient',
    path: '/clients/{id}',
    summary: 'Read a client',
    procedure: 'locations.client',
    input: placeIdInput,
    permission: 'view_locations',
    object: client,
    answers: 'one',
  },
  {
    method: 'get',
    id: 'listBuildings',
    path: '/buildings',
    summary: 'List buildings, by name',
    procedure: 'locations.listBuildings',
    input: listBuildingsInput,
    permission: 'view_locations',
    object: building,
    answers: 'many',
    pageOf: asPage,
  },
  {
    method: 'get',
    id: 'getBuilding',
    path: '/buildings/{id}',
    summary: 'Read a building',
    procedure: 'locations.building',
    input: placeIdInput,
    permission: 'view_buildings',
    object: building,
    answers: 'one',
  },
  {
    method: 'get',
    id: 'listFloors',
    path: '/buildings/{buildingId}/floors',
    summary: 'List the floors of a building, the lowest first',
    procedure: 'locations.listFloors',
    input: listFloorsInput,
    permission: 'view_locations',
    object: floor,
    answers: 'many',
    pageOf: wholeList,
  },
  {
    method: 'get',
    id: 'listPeople',
    path: '/people',
    summary: `List the people with accounts, newest first, at most ${PEOPLE_MAX}`,
    procedure: 'users.list',
    input: z.strictObject({}),
    permission: 'view_users',
    object: person,
    answers: 'many',
    pageOf: wholeList,
  },
] as const satisfies readonly ReadOperation[];
