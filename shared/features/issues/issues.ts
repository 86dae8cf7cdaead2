import { z } from 'zod';
import { fromTo } from '../../changed-field.ts';
import { messages } from '../../messages.ts';
import { typedLine, typedText } from '../../text/text.ts';
import {
  ISSUE_DATE_RANGES,
  ISSUE_PRIORITIES,
  ISSUE_SEARCH_MAX,
  ISSUE_STATUSES,
  type IssueStatus,
  PAUSE_REASONS,
} from './issues.vocabulary.ts';

const TITLE_MAX = 200;
const DESCRIPTION_MAX = 5000;
const COMMENT_MAX = 5000;

const titleSchema = typedLine()
  .min(1, messages.issues.titleRequired)
  .max(TITLE_MAX, messages.common.tooLong(TITLE_MAX));
const descriptionSchema = typedText().max(DESCRIPTION_MAX, messages.common.tooLong(DESCRIPTION_MAX));
const statusSchema = z.enum(ISSUE_STATUSES);
const prioritySchema = z.enum(ISSUE_PRIORITIES);

/** A building issue as answers and events carry it. Times are ISO strings in UTC with milliseconds. */
export const issueSchema = z.object({
  id: z.uuid(),
  referenceNumber: z.string(),
  buildingId: z.uuid(),
  buildingName: z.string(),
  title: titleSchema,
  description: descriptionSchema,
  status: statusSchema,
  priority: prioritySchema,
  /** 'check' if a failed safety check raised it; `reportedBy` is then null. */
  source: z.enum(['person', 'check']),
  reportedBy: z.uuid().nullable(),
  reportedByName: z.string().nullable(),
  /** The name of the API key, if a program reported it in the person's name. Rows of earlier versions lack it. */
  reportedByKey: z.string().nullable().default(null),
  assignedTo: z.uuid().nullable(),
  assignedToName: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  resolvedAt: z.string().nullable(),
  respondedAt: z.string().nullable(),
  respondDueAt: z.string().nullable(),
  resolveDueAt: z.string().nullable(),
  pauseReason: z.enum(PAUSE_REASONS).nullable(),
  pausedAt: z.string().nullable(),
  /** When a person acknowledged a critical issue (`issues.acknowledge`). Rows of earlier versions lack it. */
  acknowledgedAt: z.string().nullable().default(null),
  acknowledgedByName: z.string().nullable().default(null),
  version: z.number().int(),
});
export type Issue = z.infer<typeof issueSchema>;

/** Input of `issues.create`. `id` is made by the client (UUIDv7) and becomes the primary key. */
export const createIssueInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  buildingId: z.uuid(messages.locations.buildingRequired),
  title: titleSchema,
  description: descriptionSchema.default(''),
  priority: prioritySchema.default('medium'),
});
export type CreateIssueInput = z.infer<typeof createIssueInput>;

/** The fields of an issue that people can change. */
export const issueEditSchema = z.object({
  title: titleSchema,
  description: descriptionSchema,
  status: statusSchema,
  priority: prioritySchema,
  assignedTo: z.uuid().nullable(),
  pauseReason: z.enum(PAUSE_REASONS).nullable(),
});
export type IssueEdit = z.infer<typeof issueEditSchema>;

/** Input of `issues.update`: each changed field with the value that the person saw and the new value. */
export const updateIssueInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  changes: z
    .strictObject({
      title: fromTo(titleSchema, z.string().max(TITLE_MAX)),
      description: fromTo(descriptionSchema, z.string().max(DESCRIPTION_MAX)),
      status: fromTo(statusSchema, statusSchema),
      priority: fromTo(prioritySchema, prioritySchema),
      assignedTo: fromTo(z.uuid().nullable(), z.uuid().nullable()),
      pauseReason: fromTo(z.enum(PAUSE_REASONS).nullable(), z.enum(PAUSE_REASONS).nullable()),
    })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, messages.common.nothingChanged),
});
export type UpdateIssueInput = z.infer<typeof updateIssueInput>;

/** Input of `issues.acknowledge`. */
export const acknowledgeIssueInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type AcknowledgeIssueInput = z.infer<typeof acknowledgeIssueInput>;

/** A comment on an issue; it is never edited or deleted. */
export const issueCommentSchema = z.object({
  id: z.uuid(),
  issueId: z.uuid(),
  buildingId: z.uuid(),
  body: z.string(),
  authorId: z.uuid(),
  /** The author's name when it was written, and their present name if it has changed. */
  authorName: z.string(),
  authorNow: z.string().nullable(),
  createdAt: z.string(),
  version: z.number().int(),
});
export type IssueComment = z.infer<typeof issueCommentSchema>;

/** Input of `issues.comment`. */
export const commentIssueInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  issueId: z.uuid(),
  body: typedText()
    .min(1, messages.issues.commentRequired)
    .max(COMMENT_MAX, messages.common.tooLong(COMMENT_MAX)),
});
export type CommentIssueInput = z.infer<typeof commentIssueInput>;

/** The filter of an issue list or count. An absent field does not narrow it. */
export const issueFilterSchema = z.strictObject({
  buildingId: z.uuid().optional(),
  statuses: z.array(statusSchema).max(ISSUE_STATUSES.length).optional(),
  priorities: z.array(prioritySchema).max(ISSUE_PRIORITIES.length).optional(),
  range: z.enum(ISSUE_DATE_RANGES).optional(),
  assignedTo: z.uuid().optional(),
  search: typedText().max(ISSUE_SEARCH_MAX).optional(),
});
export type IssueFilter = z.infer<typeof issueFilterSchema>;

/** The last row of the page before; the list is newest first. */
export const issueCursorSchema = z.strictObject({
  createdAt: z.iso.datetime(),
  id: z.uuid(),
});
export type IssueCursor = z.infer<typeof issueCursorSchema>;

export const ISSUE_PAGE_MAX = 200;
/** Input of `issues.list`. */
export const listIssuesInput = z.strictObject({
  filter: issueFilterSchema,
  cursor: issueCursorSchema.optional(),
  limit: z.number().int().min(1).max(ISSUE_PAGE_MAX).default(50),
});

/** A page of issues, newest first (`createdAt` then `id`, descending). */
export type IssuePage = {
  rows: Issue[];
  /** Null on the last page. */
  nextCursor: IssueCursor | null;
  /** The next moment at which a row enters or leaves this list because of its age; null if never. */
  changesAt: string | null;
};

/** Numbers of issues: `total` within the filter's buildings only, the others within the whole filter. */
export type IssueCounts = {
  total: number;
  matching: number;
  byStatus: Record<IssueStatus, number>;
  /** The statuses whose number is a lower bound: the results of a search are counted up to `COUNTED_MAX` in each status. */
  leastOf: IssueStatus[];
  changesAt: string | null;
};

/** The most comments in one answer. */
export const COMMENTS_MAX = 200;
/** Input of `issues.comments`: the newest comments, or those before a comment that the client already has. */
export const issueCommentsInput = z.strictObject({
  id: z.uuid(),
  before: issueCursorSchema.optional(),
  limit: z.number().int().min(1).max(COMMENTS_MAX).default(COMMENTS_MAX),
});

export const issueIdInput = z.strictObject({ id: z.uuid() });
