import { z } from 'zod';
import { createAssetInput, updateAssetInput } from '#shared/features/assets/assets.ts';
import { updateDocumentInput } from '#shared/features/documents/documents.ts';
import { commentIssueInput, createIssueInput, updateIssueInput } from '#shared/features/issues/issues.ts';
import { createTaskInput, updateTaskInput } from '#shared/features/tasks/tasks.ts';
import type { CreateOperation, EditOperation } from './operation.ts';
import { readOperations } from './read-operations.ts';

/** The fields that the answer of every create command has. */
const created = z.object({ id: z.uuid(), version: z.number().int() });
const createdIssue = { name: 'CreatedIssue', schema: created.extend({ referenceNumber: z.string() }) };
const createdTask = { name: 'CreatedTask', schema: created.extend({ taskNumber: z.string() }) };
const createdObject = { name: 'Created', schema: created };

function reading(id: (typeof readOperations)[number]['id']): EditOperation['read'] {
  const found = readOperations.find((one) => one.id === id);
  if (found?.answers !== 'one') throw new Error(`${id} does not read one object`);
  return found;
}

/** The operations that change something. */
export const writeOperations: readonly (CreateOperation | EditOperation)[] = [
  {
    method: 'post',
    id: 'createIssue',
    path: '/issues',
    summary: 'Report an issue',
    procedure: 'issues.create',
    input: createIssueInput,
    permission: 'create_building_issues',
    object: createdIssue,
    location: '/issues/{id}',
  },
  {
    method: 'patch',
    id: 'updateIssue',
    path: '/issues/{id}',
    summary: 'Change fields of an issue, such as its status',
    procedure: 'issues.update',
    input: updateIssueInput,
    permission: 'manage_building_issues',
    read: reading('getIssue'),
  },
  {
    method: 'post',
    id: 'createComment',
    path: '/issues/{id}/comments',
    summary: 'Comment on an issue',
    procedure: 'issues.comment',
    input: commentIssueInput,
    permission: 'edit_building_issues',
    alsoNeeds: ['view_building_issues'],
    object: createdObject,
    inPath: { id: 'issueId' },
  },
  {
    method: 'post',
    id: 'createTask',
    path: '/tasks',
    summary: 'Add a compliance task to a building',
    procedure: 'tasks.create',
    input: createTaskInput,
    permission: 'create_tasks',
    object: createdTask,
    location: '/tasks/{id}',
  },
  {
    method: 'patch',
    id: 'updateTask',
    path: '/tasks/{id}',
    summary: 'Change fields of a compliance task',
    procedure: 'tasks.update',
    input: updateTaskInput,
    permission: 'edit_tasks',
    read: reading('getTask'),
  },
  {
    method: 'patch',
    id: 'updateDocument',
    path: '/documents/{id}',
    summary: 'Change fields of a document or folder, such as its name',
    procedure: 'documents.update',
    input: updateDocumentInput,
    permission: 'manage_building_documents',
    read: reading('getDocument'),
  },
  {
    method: 'post',
    id: 'createAsset',
    path: '/assets',
    summary: 'Add an asset to a building',
    procedure: 'assets.create',
    input: createAssetInput,
    permission: 'create_assets',
    object: createdObject,
    location: '/assets/{id}',
  },
  {
    method: 'patch',
    id: 'updateAsset',
    path: '/assets/{id}',
    summary: 'Change fields of an asset',
    procedure: 'assets.update',
    input: updateAssetInput,
    permission: 'edit_assets',
    read: reading('getAsset'),
  },
];
