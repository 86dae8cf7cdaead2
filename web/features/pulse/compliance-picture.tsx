import { Link } from 'react-router-dom';
import type { BuildingPulse } from '#shared/features/pulse/pulse.ts';
import { pulseMessages } from '#shared/features/pulse/pulse-messages.ts';
import { compliantPercent } from '#shared/features/tasks/task-schedule.ts';
import { Picture } from './picture.tsx';

type Props = {
  buildings: readonly BuildingPulse[];
  path: string;
  /** The URL where tasks are added to a building without tasks; undefined for people who may not add tasks. */
  libraryPath: string | undefined;
};

/** The compliant share of each building's tasks, most overdue tasks first. Each row links to the building's tasks. */
export function CompliancePicture({ buildings, path, libraryPath = path }: Props) {
  const shown = buildings.map((building) => ({ ...building, percent: compliantPercent(building.tasks) }));
  const none = shown.every(({ percent }) => percent === null);
  return (
    <Picture
      title={pulseMessages.complianceTitle}
      text={none ? pulseMessages.noTasks : pulseMessages.complianceText}
    >
      <ul className="-mx-2 grid">
        {shown.map(({ id, buildingName, percent, tasks: { overdue } }) => (
          <li key={id}>
            <Link
              to={`${percent === null ? libraryPath : path}?building=${id}`}
              className="grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 rounded-control px-2 py-1 hover:bg-mute pointer-coarse:min-h-12"
            >
              <span className="truncate">{buildingName}</span>
              <span className="flex items-baseline gap-2 text-sm tabular-nums">
                {overdue > 0 && <span className="text-bad">{pulseMessages.overdueTasks(overdue)}</span>}
                {percent === null ? (
                  <span className="text-due">{pulseMessages.noTasksHere}</span>
                ) : (
                  <span className="w-11 text-right font-medium">{pulseMessages.percent(percent)}</span>
                )}
              </span>
              {percent === null ? (
                <span aria-hidden className="col-span-2 h-1.5 rounded-full bg-step-off" />
              ) : (
                <span aria-hidden className="col-span-2 flex h-1.5 overflow-hidden rounded-full bg-mark-fail">
                  <span className="bg-mark-pass" style={{ width: `${percent}%` }} />
                </span>
              )}
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
