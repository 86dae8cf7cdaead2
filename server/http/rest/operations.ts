import type { z } from 'zod';
import type { ApiPermission } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { assetIdInput, assetSchema, listAssetsInput } from '#shared/features/assets/assets.ts';
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
import {
  listTasksInput,
  recordedLineSchema,
  type TaskList,
  taskIdInput,
  taskSchema,
} from '#shared/features/tasks/tasks.ts';

/** Rows of an answer, and the cursor of the next page as the procedure takes it; null on the last one. */
export type Page = { rows: readonly object[]; nextCursor: object | null };

type Common = {
  /** The name of the operation, from which generators make the names of functions. */
  id: string;
  /** Below `/api/v1`; names in braces are fields of the input. */
  path: string;
  summary: string;
  /** The query that answers, with the input that the app calls it with. */
  procedure: string;
  input: z.ZodObject;
  /** Fields of the input that callers cannot set. */
  without?: readonly string[];
  permission: ApiPermission;
  /** One row of the answer: its name, and the schema of which only the named fields are sent. */
  row: { name: string; schema: z.ZodObject };
};
/**
 * An operation of the API: a query that the app calls, by its address. `one` answers with a row or 404, `many` with a page.
 */
export type Operation = Common &
  ({ answers: 'one' } | { answers: 'many'; pageOf(answer: unknown, input: Record<string, unknown>): Page });

const issue = { name: 'Issue', schema: issueSchema };
const comment = { name: 'Comment', schema: issueCommentSchema };
const task = { name: 'Task', schema: taskSchema };
const line = { name: 'TaskLine', schema: recordedLineSchema };
const asset = { name: 'Asset', schema: assetSchema };
const client = { name: 'Client', schema: clientRowSchema };
const building = { name: 'Building', schema: buildingSchema };
const floor = { name: 'Floor', schema: floorSchema };

// The casts: a procedure's answer is known where it is defined, and a test validates each operation's.
const asPage = (answer: unknown) => answer as Page;
const wholeList = (rows: unknown): Page => ({ rows: rows as object[], nextCursor: null });

/** All operations, in the order of the reference. */
export const operations: readonly Operation[] = [
  {
    id: 'listIssues',
    path: '/issues',
    summary: 'List issues, newest first',
    procedure: 'issues.list',
    input: listIssuesInput,
    permission: 'view_building_issues',
    row: issue,
    answers: 'many',
    pageOf: asPage,
  },
  {
    id: 'getIssue',
    path: '/issues/{id}',
    summary: 'Read an issue',
    procedure: 'issues.get',
    input: issueIdInput,
    permission: 'view_building_issues',
    row: issue,
    answers: 'one',
  },
  {
    id: 'listComments',
    path: '/issues/{id}/comments',
    summary: 'List the comments of an issue: the newest, oldest first; the next page has earlier ones',
    procedure: 'issues.comments',
    input: issueCommentsInput,
    permission: 'view_building_issues',
    row: comment,
    answers: 'many',
    pageOf(answer, { limit }) {
      const rows = answer as IssueComment[];
      const [first] = rows;
      const isFull = first !== undefined && rows.length === limit;
      return { rows, nextCursor: isFull ? { createdAt: first.createdAt, id: first.id } : null };
    },
  },
  {
    id: 'listTasks',
    path: '/tasks',
    summary: 'List the compliance tasks of a building that are in use, by due date',
    procedure: 'tasks.list',
    input: listTasksInput,
    // Only the first of them would be answered.
    without: ['retired'],
    permission: 'view_tasks',
    row: task,
    answers: 'many',
    pageOf: (answer) => wholeList((answer as TaskList).tasks),
  },
  {
    id: 'getTask',
    path: '/tasks/{id}',
    summary: 'Read a compliance task',
    procedure: 'tasks.get',
    input: taskIdInput,
    permission: 'view_tasks',
    row: task,
    answers: 'one',
  },
  {
    id: 'listTaskLines',
    path: '/tasks/{id}/record',
    summary: 'Read the record of a compliance task, the first line first',
    procedure: 'tasks.record',
    input: taskIdInput,
    permission: 'view_tasks',
    row: line,
    answers: 'many',
    pageOf: wholeList,
  },
  {
    id: 'listAssets',
    path: '/assets',
    summary: 'List assets, by name unless another order is asked for',
    procedure: 'assets.list',
    input: listAssetsInput,
    permission: 'view_assets',
    row: asset,
    answers: 'many',
    pageOf: asPage,
  },
  {
    id: 'getAsset',
    path: '/assets/{id}',
    summary: 'Read an asset',
    procedure: 'assets.get',
    input: assetIdInput,
    permission: 'view_assets',
    row: asset,
    answers: 'one',
  },
  {
    id: 'listClients',
    path: '/clients',
    summary: 'List clients, by name',
    procedure: 'locations.listClients',
    input: listClientsInput,
    permission: 'view_locations',
    row: client,
    answers: 'many',
    pageOf: asPage,
  },
  {
    id: 'getClient',
    path: '/clients/{id}',
    summary: 'Read a client',
    procedure: 'locations.client',
    input: placeIdInput,
    permission: 'view_locations',
    row: client,
    answers: 'one',
  },
  {
    id: 'listBuildings',
    path: '/buildings',
    summary: 'List buildings, by name',
    procedure: 'locations.listBuildings',
    input: listBuildingsInput,
    permission: 'view_locations',
    row: building,
    answers: 'many',
    pageOf: asPage,
  },
  {
    id: 'getBuilding',
    path: '/buildings/{id}',
    summary: 'Read a building',
    procedure: 'locations.building',
    input: placeIdInput,
    permission: 'view_buildings',
    row: building,
    answers: 'one',
  },
  {
    id: 'listFloors',
    path: '/buildings/{buildingId}/floors',
    summary: 'List the floors of a building, the lowest first',
    procedure: 'locations.listFloors',
    input: listFloorsInput,
    permission: 'view_locations',
    row: floor,
    answers: 'many',
    pageOf: wholeList,
  },
];
