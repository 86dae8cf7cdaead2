// A process of its own that has a throwaway Postgres: prints where, and is there to be killed.
import { readPidFile } from '#db/embedded/postmaster.ts';
import { startThrowawayPostgres } from './throwaway-postgres.ts';

const { folder } = await startThrowawayPostgres({ sync: false });
setInterval(() => undefined, 1_000);
console.log(JSON.stringify({ folder, pid: readPidFile(`${folder}/postgres/pg`)?.pid }));
