/** The oldest Postgres that Lintel runs on: its usual name, and its number in Postgres (`server_version_num`). */
export const OLDEST_POSTGRES = { name: '17', number: 170_000 } as const;
