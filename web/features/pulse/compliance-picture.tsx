import { Link } from 'react-router-dom';
import type { BuildingPulse } from '#shared/features/pulse.ts';
import { pulseMessages } from '#shared/features/pulse-messages.ts';
import { compliantPercent } from '#shared/task-schedule.ts';
import { Picture } from './picture.tsx';

/** The compliant part of each building's tasks, those with the most overdue ones first; each leads to its tasks. */
export function CompliancePicture({
  buildings,
  path,
}: {
  buildings: readonly BuildingPulse[];
  path: string;
}) {
  const shown = buildings.flatMap((building) => {
    const percent = compliantPercent(building.tasks);
    return percent === null ? [] : [{ ...building, percent }];
  });
  return (
    <Picture
      title={pulseMessages.complianceTitle}
      text={shown.length === 0 ? pulseMessages.noTasks : pulseMessages.complianceText}
    >
      <ul className="-mx-2 grid">
        {shown.map(({ id, buildingName, percent, tasks: { overdue } }) => (
          <li key={id}>
            <Link
              to={`${path}?building=${id}`}
              className="grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 rounded-control px-2 py-1 hover:bg-mute pointer-coarse:min-h-12"
            >
              <span className="truncate">{buildingName}</span>
              <span className="flex items-baseline gap-2 text-sm tabular-nums">
                {overdue > 0 && <span className="text-bad">{pulseMessages.overdueTasks(overdue)}</span>}
                <span className="w-11 text-right font-medium">{pulseMessages.percent(percent)}</span>
              </span>
              <span aria-hidden className="col-span-2 flex h-1.5 overflow-hidden rounded-full bg-mark-fail">
                <span className="bg-mark-pass" style={{ width: `${percent}%` }} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length > 0 && (
        <Link
          to={`${path}?building=all`}
          className="mt-1 inline-flex min-h-9 items-center text-brand text-sm hover:underline pointer-coarse:min-h-12"
        >
          {pulseMessages.allBuildings}
        </Link>
      )}
    </Picture>
  );
}
