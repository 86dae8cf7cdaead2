import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './db/schema/people.ts',
    './db/schema/accounts.ts',
    './db/schema/places.ts',
    './db/schema/assets.ts',
    './db/schema/issues.ts',
    './db/schema/photos.ts',
    './db/schema/checks/visits.ts',
    './db/schema/checks/imported.ts',
    './db/schema/checks/fire-alarm.ts',
    './db/schema/checks/emergency-lighting.ts',
    './db/schema/checks/water-temperature.ts',
    './db/schema/checks/outlet-flushing.ts',
    './db/schema/checks/call-point-visual.ts',
    './db/schema/checks/false-alarms.ts',
    './db/schema/checks/schedules.ts',
    './db/schema/live.ts',
    './db/schema/timed-jobs.ts',
  ],
  out: './db/migrations',
});
