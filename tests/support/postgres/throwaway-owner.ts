// A process that owns a throwaway Postgres: prints its folder and pid, and may be killed.
import { readPidFile } from '#db/embedded/postmaster.ts';
import { startThrowawayPostgres } from './throwaway-postgres.ts';

const { folder } = await startThrowawayPostgres({ sync: false });
setInterval(() => undefined, 1_000);
console.log(JSON.stringify({ folder, pid: readPidFile(`${folder}/postgres/pg`)?.pid }));
