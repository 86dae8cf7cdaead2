import { Building2, ChevronRight, LibraryBig } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { compliantPercent } from '#shared/features/tasks/task-schedule.ts';
import type { BuildingTasks } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { countMoves } from '../../../lib/count-moves.ts';
import { cx } from '../../../ui/cx.ts';
import { Printable } from '../../../ui/lists/printable.tsx';
import type { PrintedColumn } from '../../../ui/lists/printed-list.tsx';
import { useFrozenOrder } from '../../../ui/lists/use-frozen-order.ts';
import { ROW_HEIGHT, useTableWindow } from '../../../ui/lists/use-table-window.ts';
import { WindowTable } from '../../../ui/lists/window-table.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import { libraryPath } from '../task-paths.ts';
import { ComplianceRing } from './compliance-ring.tsx';
import { HeldChanges } from './held-changes.tsx';

type Props = {
  buildings: readonly BuildingTasks[];
  /** Returns the URL of a building's tasks. */
  hrefOf: (buildingId: string) => string;
  /** The filter, as text. When it changes, the rows take their new order at once instead of being held still. */
  subject: string;
};

const COLUMNS: readonly (readonly [name: string, width: string])[] = [
  ['Building', ''],
  ['Compliance', 'w-28 lg:w-[8.5rem]'],
  ['Compliant', 'w-[5.5rem] lg:w-[7.5rem] text-right'],
  ['Non-Compliant', 'w-[7.25rem] lg:w-[8.5rem] text-right'],
  ['Overdue', 'w-20 lg:w-[7rem] text-right'],
  ['Due This Week', 'w-[8.5rem] text-right'],
];
const NARROW_HEIGHT = 76;

const PRINTED: readonly PrintedColumn<BuildingTasks>[] = [
  { name: 'Building', of: ({ buildingName }) => buildingName },
  { name: 'Compliance', of: percentText, isNumber: true },
  { name: 'Compliant', of: ({ compliant }) => compliant, isNumber: true },
  { name: 'Non-Compliant', of: ({ nonCompliant }) => nonCompliant, isNumber: true },
  { name: 'Overdue', of: ({ overdue }) => overdue, isNumber: true },
  { name: 'Due This Week', of: ({ dueThisWeek }) => dueThisWeek, isNumber: true },
];

const noMore = { hasMore: false, isLoadingMore: false, loadMore: () => undefined };

/** A row for each building, the worst first; only visible rows are rendered. */
export function AllSites({ buildings, hrefOf, subject }: Props) {
  const wide = useMedia('(min-width: 768px)');
  const mayAdd = usePermissions().can('create_tasks');
  const { held, takeIn, listProps } = useFrozenOrder(buildings, subject);
  const shown = held === undefined ? buildings : newestOf(held, buildings);
  const rows = shown.map((building) => ({ ...building, id: building.buildingId }));
  const changes = held === undefined ? 0 : countMoves(idsOf(held), idsOf(buildings));
  const tableWindow = useTableWindow({
    ...noMore,
    rows,
    rowHeight: wide ? ROW_HEIGHT : NARROW_HEIGHT,
  });
  const Row = wide ? SiteRow : NarrowRow;
  const head = (wide ? COLUMNS : COLUMNS.slice(0, 1)).map(([name, width]) => (
    <th key={name} scope="col" className={cx('px-2 font-medium first:pl-3.5 last:pr-10', width)}>
      {name}
    </th>
  ));
  return (
    <section aria-label="Sites" {...listProps}>
      <HeldChanges count={changes} onTakeIn={takeIn} />
      <Printable caption="Buildings, the worst first" rows={rows} columns={PRINTED}>
        <WindowTable
          caption="Buildings, the worst first"
          rowCount={rows.length}
          headClassName="max-md:sr-only"
          {...{ tableWindow, head }}
        >
          {(index) => {
            const row = shown[index];
            return row === undefined ? null : (
              <Row
                row={row}
                index={index}
                href={hrefOf(row.buildingId)}
                library={row.withoutTasks && mayAdd ? libraryPath(row.buildingId) : undefined}
              />
            );
          }}
        </WindowTable>
      </Printable>
    </section>
  );
}

/** Returns the same rows in the same order, with their current figures. */
function newestOf(rows: readonly BuildingTasks[], now: readonly BuildingTasks[]): BuildingTasks[] {
  const known = new Map(now.map((row) => [row.buildingId, row]));
  return rows.map((row) => known.get(row.buildingId) ?? row);
}

function idsOf(rows: readonly BuildingTasks[]): string[] {
  return rows.map(({ buildingId }) => buildingId);
}

type RowProps = {
  row: BuildingTasks;
  index: number;
  href: string;
  /** The URL where tasks are added to a building without tasks; undefined for people who may not add tasks. */
  library: string | undefined;
};
const cell = 'truncate px-2 first:pl-3.5';
const line =
  'relative border-line border-b text-ink-2 last:border-b-0 hover:bg-mute has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-brand has-[a:focus-visible]:-outline-offset-2';

const SiteRow = memo(function SiteRow({ row, index, href, library }: RowProps) {
  const { buildingName, compliant, nonCompliant, overdue, dueThisWeek } = row;
  return (
    <tr
      aria-rowindex={index + 2}
      data-site={row.buildingId}
      style={{ height: ROW_HEIGHT }}
      className={cx(line, 'tabular-nums')}
    >
      <td className={cell}>
        <Link
          to={href}
          className="flex items-center gap-2 font-medium text-ink outline-none after:absolute after:inset-0"
        >
          <Building2 size={15} aria-hidden className="text-ink-3" />
          <span className="truncate">{buildingName}</span>
        </Link>
      </td>
      {isEmpty(row) ? (
        <td colSpan={5} className={cx(cell, 'pr-3.5')}>
          <span className="flex items-center justify-between gap-3">
            <Nothing row={row} />
            <LibraryLink to={library} />
          </span>
        </td>
      ) : (
        <>
          <td className={cell}>
            <Compliance row={row} />
          </td>
          <td className={cx(cell, 'text-right')}>{compliant}</td>
          <td className={cx(cell, 'text-right', nonCompliant > 0 && 'font-semibold text-ink')}>
            {nonCompliant}
          </td>
          <td className={cx(cell, 'text-right', overdue > 0 && 'font-semibold text-bad')}>{overdue}</td>
          <td className={cx(cell, 'pr-3.5 text-right')}>
            <span className="inline-flex items-center gap-2.5">
              {dueThisWeek}
              <ChevronRight size={16} aria-hidden className="text-ink-3" />
            </span>
          </td>
        </>
      )}
    </tr>
  );
});

const NarrowRow = memo(function NarrowRow({ row, index, href, library }: RowProps) {
  const { buildingName, nonCompliant, overdue, dueThisWeek } = row;
  return (
    <tr
      aria-rowindex={index + 2}
      data-site={row.buildingId}
      style={{ height: NARROW_HEIGHT }}
      className={line}
    >
      <td className="px-3.5">
        <div className="flex items-center gap-3 tabular-nums">
          <ComplianceRing percent={compliantPercent(row)} size={36} />
          <div className="min-w-0 flex-1">
            <Link
              to={href}
              className="block truncate font-semibold text-ink text-md outline-none after:absolute after:inset-0"
            >
              {buildingName}
            </Link>
            {isEmpty(row) ? (
              <p className="truncate text-sm">
                <Nothing row={row} />
              </p>
            ) : (
              <>
                <p className="truncate text-sm">
                  {percentText(row)} compliant · {nonCompliant} non-compliant
                </p>
                <p className="truncate text-sm">
                  <span className={cx(overdue > 0 && 'font-semibold text-bad')}>{overdue} overdue</span> ·{' '}
                  {dueThisWeek} due this week
                </p>
              </>
            )}
          </div>
          <LibraryLink short to={library} />
        </div>
      </td>
    </tr>
  );
});

function isEmpty({ compliant, nonCompliant }: BuildingTasks): boolean {
  return compliant + nonCompliant === 0;
}

/** The text shown instead of figures if nothing is due, or there are no tasks. */
function Nothing({ row }: { row: BuildingTasks }) {
  return row.withoutTasks ? (
    <span className="font-medium text-due">{taskMessages.noneYet}</span>
  ) : (
    taskMessages.nothingDue
  );
}

/** The link at the end of a row, in front of the link of the whole row; without a URL, an arrow. */
function LibraryLink({ to, short = false }: { to: string | undefined; short?: boolean }) {
  if (to === undefined) return <ChevronRight size={18} aria-hidden className="shrink-0 text-ink-3" />;
  return (
    <Link
      to={to}
      aria-label={taskMessages.fromLibrary}
      className="relative inline-flex min-h-9 shrink-0 items-center gap-1.5 font-medium text-brand text-sm hover:underline pointer-coarse:min-h-12 print:hidden"
    >
      <LibraryBig size={15} aria-hidden />
      {short ? taskMessages.library : taskMessages.fromLibrary}
    </Link>
  );
}

function Compliance({ row }: { row: BuildingTasks }) {
  return (
    <span className="flex items-center gap-2.5">
      <ComplianceRing percent={compliantPercent(row)} size={24} />
      {percentText(row)}
    </span>
  );
}

function percentText(row: BuildingTasks): string {
  const percent = compliantPercent(row);
  return percent === null ? '—' : `${percent}%`;
}
