import { customType, uuid } from 'drizzle-orm/pg-core';

/**
 * A moment: `timestamptz(3)` in the database and an ISO string in UTC everywhere else. In milliseconds, because
 * JavaScript has no finer unit, and a cursor on microseconds would skip rows.
 */
export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
});

/** Primary key: a UUIDv7, made by the client for rows that may be created offline and by the server otherwise. */
export const id = () => uuid('id').primaryKey();

/** Bytes in the row. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
