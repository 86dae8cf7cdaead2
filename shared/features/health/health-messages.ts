import { formatFileSize } from '../../text/file-size.ts';
import type { HealthProblem } from './health.ts';

/** Sentences about the health of the installation. */
export const healthMessages = {
  title: 'Health',
  fetchFailed: 'The state of the installation could not be read',
  well: 'All is well.',
  version: 'Version',
  started: 'started',
  address: 'Address',
  noAddress: 'Not set (PUBLIC_URL): people on this machine only',
  database: 'Database',
  ownDatabase: 'its own',
  givenDatabase: 'of DATABASE_URL',
  disk: 'Free disk space',
  mail: 'Mail',
  mailFrom: (from: string) => `Sent from ${from}`,
  noMail: 'Not set up (SMTP_URL): links for passwords are shown on screen instead',
  jobs: 'Timed jobs',
  jobsRan: 'Last ran',
  noJobs: 'Not run yet',
  diskLow: (free: number): HealthProblem => ({
    title: `The disk is nearly full: ${formatFileSize(free)} left.`,
    text: 'Free some space, or give it a larger disk. Files and imports are refused first, then other changes, records of checks last.',
  }),
  cannotSave: {
    title: 'Changes cannot be saved.',
    text: 'The database takes no writes: its disk is full or broken, or it is a copy of another one.',
  },
  clock: (doubt: string): HealthProblem => ({
    title: `The clocks do not agree: ${doubt}. Timed jobs wait.`,
    text: 'Set the clocks of the machine and of the database right, and they go on by themselves. If the new time is the right one, restart Lintel.',
  }),
  notSequenced: {
    title: 'Changes are saved, but screens do not follow.',
    text: 'Changes wait for their place in the event log. Look at the log of the server, or restart it.',
  },
  jobsLate: {
    title: 'Timed jobs have not run for hours.',
    text: 'Lapses of tasks, figures at midnight and backups depend on them. Look at the log of the server.',
  },
  plainHttp: {
    title: 'Other machines reach Lintel over plain http.',
    text: 'Passwords can be read on the way. Put a proxy with a certificate in front, and set PUBLIC_URL to its https address.',
  },
  oneAdministrator: {
    title: 'Only one administrator can sign in.',
    text: 'If that person loses access, only the operator of the server can help. Give another person the role under User Management.',
  },
} as const;
