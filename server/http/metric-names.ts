/** The prefix of every metric. */
export const PREFIX = 'lintel_';

/** The metrics of Lintel's own parts, with their descriptions; those of Node and of requests are added by `metrics.ts`. */
export const METRICS: Readonly<Record<string, string>> = {
  logged_errors: 'Lines at error that were logged since the start of the process',
  ready: '1 if the server can serve, as /readyz says; else 0',
  sockets: 'Open sockets of pages and displays',
  subscribers: 'Live streams on these sockets',
  classes: 'Groups of live streams that receive the same events',
  behind: 'Live streams that are catching up',
  held: 'Live streams that wait until access has been read again',
  waiting: 'Replays and encodings that wait for their turn',
  resets: 'Streams that could not go on and began again, since the start of the process',
  position: 'The newest position of the event log that this process has read',
  head: 'The newest position of the event log',
  halted: '1 if a hole in the event log has stopped the live stream; else 0',
  read_age_seconds: 'Time since the last read of the event log',
  listen_silence_seconds: 'Time since the last notification from the database',
  ring: 'Events that are kept in memory',
  reads_waiting: 'Queries that wait for a database connection',
  commands_waiting: 'Commands that wait for a database connection',
  clock_in_doubt: '1 if the clocks of machine and database disagree, so that timed jobs wait; else 0',
  clock_machine_ahead_seconds: "By how much the machine's clock is ahead of the time in use",
  clock_database_ahead_seconds: "By how much the database's clock is ahead of the time in use",
  disk_free_bytes: 'Free space on the disk with the files',
  disk_floor_bytes: 'Free space that files and imports leave',
  backup_problems: 'What is wrong with the backups, as Settings and doctor say',
  backup_age_seconds: 'Time since the start of the last backup that succeeded',
  backup_rows: 'Rows in the last backup that succeeded',
  backup_verified_age_seconds: 'Time since the start of the last verification that succeeded',
  photos_unfinished: 'Photos that were announced and have not arrived',
  photos_unfinished_bytes: 'Bytes of these photos',
};
