import { z } from 'zod';
import { apiObjects } from '#shared/api/objects.ts';
import { assetIdInput, listAssetsInput } from '#shared/features/assets/assets.ts';
import type { LogPage } from '#shared/features/checks/procedure-answers.ts';
import { logRecordsInput } from '#shared/features/checks/queries.ts';
import {
  type IssueComment,
  issueCommentsInput,
  issueIdInput,
  listIssuesInput,
} from '#shared/features/issues/issues.ts';
import {
  listBuildingsInput,
  listClientsInput,
  listFloorsInput,
  placeIdInput,
} from '#shared/features/locations/locations.inputs.ts';
import { listTasksInput, type TaskList, taskIdInput } from '#shared/features/tasks/tasks.ts';
import { PEOPLE_MAX } from '#shared/features/users/users.vocabulary.ts';
import type { Page, ReadOperation } from './operation.ts';

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
    object: apiObjects.issue,
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
    object: apiObjects.issue,
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
    object: apiObjects.comment,
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
    object: apiObjects.task,
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
    object: apiObjects.task,
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
    object: apiObjects.taskLine,
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
    object: apiObjects.logRecord,
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
    object: apiObjects.asset,
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
    object: apiObjects.asset,
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
    object: apiObjects.client,
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
    object: apiObjects.client,
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
    object: apiObjects.building,
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
    object: apiObjects.building,
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
    object: apiObjects.floor,
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
    object: apiObjects.person,
    answers: 'many',
    pageOf: wholeList,
  },
] as const satisfies readonly ReadOperation[];
