import { z } from 'zod';
import type { Database } from '#db/client.ts';
import { formatDate, formatDateTime, formatDay } from '#shared/dates.ts';
import { type ActivityCursor, activityFilterSchema } from '#shared/features/activity.ts';
import { actionLabel, describeChanges } from '#shared/features/activity.vocabulary.ts';
import { effectiveType, outletKindOf } from '#shared/features/asset-filter.ts';
import { assetFilterSchema } from '#shared/features/assets.ts';
import {
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  OUTLET_KIND_LABELS,
} from '#shared/features/assets.vocabulary.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { logFilterSchema } from '#shared/features/checks/queries.ts';
import { type IssueCursor, issueFilterSchema } from '#shared/features/issues.ts';
import { ISSUE_PRIORITY_LABELS, ISSUE_STATUS_LABELS } from '#shared/features/issues.vocabulary.ts';
import { type Permission, ROLE_LABELS } from '#shared/permissions.ts';
import type { Actor } from '../../access/actor.ts';
import { listActivity } from '../activity/activity.queries.ts';
import { assetsForExport } from '../assets/assets.queries.ts';
import { listIssues } from '../issues/issues.queries.ts';
import { readMyBuildings } from '../locations/locations.queries.ts';
import { peopleForExport } from '../users/users.queries.ts';
import { CHECK_RECORD_COLUMNS, checkRecordPages } from './check-records.ts';
import type { Cell } from './csv.ts';
import {
  ARCHIVE_COLUMNS,
  archivePages,
  BUILDING_COLUMNS,
  buildingPages,
  buildingsFilter,
  CLIENT_COLUMNS,
  clientPages,
  clientsFilter,
  FLOOR_COLUMNS,
  floorPages,
  floorsFilter,
} from './place-lists.ts';

const PAGE = 1_000;

type Reader = { db: Database; actor: Actor; now: Date; enabled: readonly CheckKind[] };
type Pages = AsyncGenerator<Cell[][], void, undefined>;
/** A list that can be exported: the permission, and its rows page by page, from the same query as the screen. */
export type ExportedList = {
  permission: Permission;
  columns: readonly string[];
  /** @throws ZodError for a filter that the screen cannot produce */
  rows(reader: Reader, filter: unknown): Pages;
};

function list<Filter extends z.ZodType>(definition: {
  permission: Permission;
  columns: readonly string[];
  filter: Filter;
  pages(reader: Reader, filter: z.output<Filter>): Pages;
}): ExportedList {
  const { permission, columns, filter, pages } = definition;
  return { permission, columns, rows: (reader, input) => pages(reader, filter.parse(input)) };
}

/** All exportable lists, by file name. */
export const EXPORTS: Readonly<Record<string, ExportedList>> = {
  issues: list({
    permission: 'view_building_issues',
    columns: [
      'Reference',
      'Title',
      'Description',
      'Building',
      'Status',
      'Priority',
      'Created',
      'Updated',
      'Resolved',
      'Reported by',
      'Assigned to',
    ],
    filter: issueFilterSchema,
    async *pages({ db, actor, now }, filter) {
      let cursor: IssueCursor | undefined;
      do {
        const page = await listIssues(db, actor, { filter, cursor, limit: PAGE }, now);
        yield page.rows.map((issue) => [
          issue.referenceNumber,
          issue.title,
          issue.description,
          issue.buildingName,
          ISSUE_STATUS_LABELS[issue.status],
          ISSUE_PRIORITY_LABELS[issue.priority],
          formatDateTime(issue.createdAt),
          formatDateTime(issue.updatedAt),
          issue.resolvedAt === null ? null : formatDateTime(issue.resolvedAt),
          issue.reportedByName,
          issue.assignedToName,
        ]);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  }),
  locations: list({
    permission: 'view_locations',
    columns: BUILDING_COLUMNS,
    filter: buildingsFilter,
    pages: buildingPages,
  }),
  clients: list({
    permission: 'view_locations',
    columns: CLIENT_COLUMNS,
    filter: clientsFilter,
    pages: clientPages,
  }),
  floors: list({
    permission: 'view_locations',
    columns: FLOOR_COLUMNS,
    filter: floorsFilter,
    pages: floorPages,
  }),
  archive: list({
    permission: 'edit_locations',
    columns: ARCHIVE_COLUMNS,
    filter: z.strictObject({}),
    pages: archivePages,
  }),
  assets: list({
    permission: 'view_assets',
    columns: [
      'Building Name',
      'Floor',
      'Room',
      'Name',
      'Description',
      'Type',
      'Outlet Kind',
      'Quantity',
      'Frequency',
      'Last Visit',
      'Retired',
    ],
    filter: assetFilterSchema,
    async *pages({ db, actor }, filter) {
      for await (const page of assetsForExport(db, actor, filter)) {
        yield page.map((asset) => {
          const kind = outletKindOf(asset);
          return [
            asset.buildingName,
            asset.floorName,
            asset.roomName,
            asset.name,
            asset.description,
            ASSET_TYPE_LABELS[effectiveType(asset)],
            kind === null ? null : OUTLET_KIND_LABELS[kind],
            asset.quantity,
            ASSET_FREQUENCY_LABELS[asset.frequency],
            asset.lastVisitDate === null ? 'Never' : formatDay(asset.lastVisitDate),
            asset.retiredAt === null ? null : formatDate(asset.retiredAt),
          ];
        });
      }
    },
  }),
  checks: list({
    permission: 'view_logbook',
    columns: CHECK_RECORD_COLUMNS,
    filter: logFilterSchema,
    pages: checkRecordPages,
  }),
  people: list({
    permission: 'view_users',
    columns: ['First name', 'Last name', 'Email', 'Role', 'Location access', 'Added', 'Deactivated'],
    filter: z.strictObject({ search: z.string().max(200).optional() }),
    async *pages({ db, actor }, { search = '' }) {
      const names = new Map((await readMyBuildings(db, actor)).map(({ id, name }) => [id, name]));
      const needle = search.trim().toLowerCase();
      for await (const page of peopleForExport(db, PAGE)) {
        const found = page.filter(({ firstName, lastName, email }) =>
          `${firstName} ${lastName}\n${email}`.toLowerCase().includes(needle),
        );
        yield found.map((person) => [
          person.firstName,
          person.lastName,
          person.email,
          person.role === null ? null : ROLE_LABELS[person.role],
          person.role === 'admin' ? 'All' : person.buildings.map((id) => names.get(id) ?? '').join(', '),
          formatDate(person.createdAt),
          person.deactivatedAt === null ? null : formatDate(person.deactivatedAt),
        ]);
      }
    },
  }),
  activity: list({
    permission: 'manage_users',
    columns: ['When', 'Who', 'What', 'On', 'Building', 'Changes'],
    filter: activityFilterSchema,
    async *pages({ db }, filter) {
      let cursor: ActivityCursor | undefined;
      do {
        const page = await listActivity(db, { filter, cursor, limit: PAGE });
        yield page.entries.map((entry) => [
          formatDateTime(entry.at),
          entry.actorId === null ? 'Lintel' : (page.names[entry.actorId] ?? 'Someone'),
          actionLabel(entry),
          entry.subject,
          entry.buildingId === null ? null : (page.names[entry.buildingId] ?? null),
          entry.erased
            ? 'erased'
            : describeChanges(entry, page.names)
                .map(({ label, from, to }) => `${label}: ${from ?? '—'} → ${to ?? '—'}`)
                .join('\n'),
        ]);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  }),
};
