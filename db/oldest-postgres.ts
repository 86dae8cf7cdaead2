/** The oldest Postgres that Lintel runs on: as people write it, and as Postgres counts it (`server_version_num`). */
export const OLDEST_POSTGRES = { name: '17', number: 170_000 } as const;
