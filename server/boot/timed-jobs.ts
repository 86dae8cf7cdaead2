import { HOUR_MS } from '#shared/dates.ts';
import type { FileLayer } from '../features/files/uploads.writes.ts';
import { moveJob } from '../features/pulse/move.job.ts';
import { lapseJob } from '../features/tasks/lapse.job.ts';
import { every, type TimedJob } from '../kernel/timed-jobs.ts';
import { sweep } from './housekeeping.ts';

/** All timed jobs. To add one, declare it in its feature and list it here. */
export function timedJobsOf({
  sweepEveryMs = HOUR_MS,
  files,
}: {
  sweepEveryMs?: number | undefined;
  files?: FileLayer | undefined;
}): TimedJob[] {
  return [
    { name: 'sweep', schedule: every(sweepEveryMs), run: (services) => sweep(services, files) },
    lapseJob,
    moveJob,
  ];
}
