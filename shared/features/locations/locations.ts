import { z } from 'zod';
import { messages } from '../../messages.ts';
import { buildingFields } from './building-fields.ts';
import type { DependentKind } from './locations.vocabulary.ts';

/** The building of the sample portfolio that has the six preset test locations. */
export const SAMPLE_SITE_ID = '018f0000-0000-7000-8000-000000000001';

/** A client as answers and events carry it. */
export const clientSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  archivedAt: z.string().nullable(),
  version: z.number().int(),
});
export type Client = z.infer<typeof clientSchema>;

/** A building; screens also say site or location. */
export const buildingSchema = z.object({
  id: z.uuid(),
  clientId: z.uuid(),
  clientName: z.string(),
  ...buildingFields,
  /** The prefix of the building's reference numbers: HAR in HAR-0142. */
  code: z.string(),
  floorCount: z.number().int(),
  archivedAt: z.string().nullable(),
  version: z.number().int(),
});
export type Building = z.infer<typeof buildingSchema>;

/** The fields of a building that every picker needs. */
export const buildingOptionSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  clientName: z.string(),
});
export type BuildingOption = z.infer<typeof buildingOptionSchema>;

/**
 * A building's summary (live entity `place`), for everyone who has access to it, in any role: the fields that pickers,
 * cards and the log show. Address, code and floors are in `building`, for people who may view locations.
 */
export const buildingSummarySchema = buildingOptionSchema.extend({
  isHealthcare: z.boolean(),
  archivedAt: z.string().nullable(),
  version: z.number().int(),
});
export type BuildingSummary = z.infer<typeof buildingSummarySchema>;

export const buildingIdSchema = z.uuid(messages.locations.buildingRequired);

/** One floor; 0 is the ground floor, negative levels are below it. */
export const floorSchema = z.object({
  id: z.uuid(),
  buildingId: z.uuid(),
  level: z.number().int(),
  name: z.string(),
  isBasement: z.boolean(),
});
export type Floor = z.infer<typeof floorSchema>;

/** A client in a list, with the number of its buildings that the reader may see. */
export const clientRowSchema = clientSchema.extend({ buildingCount: z.number().int() });
export type ClientRow = z.infer<typeof clientRowSchema>;

/** One page of a list in the order of names, then id. */
export type NamedPage<Row> = {
  rows: Row[];
  /** The number of rows in the whole list. */
  total: number;
  /** The start of the next page, by the sort key of a name; null on the last one. */
  nextCursor: { name: string; id: string } | null;
};

export type PlaceKind = 'client' | 'building' | 'floor';

/** An archived client, building or floor. */
export type ArchivedPlace = {
  kind: PlaceKind;
  id: string;
  name: string;
  /** The name of the client of a building, or of the building of a floor. */
  within: string | null;
  archivedAt: string;
  version: number;
};
export type ArchivedPage = {
  rows: ArchivedPlace[];
  total: number;
  nextCursor: { archivedAt: string; id: string } | null;
};

/** The numbers of records that belong to a client, a building or a floor, by kind. */
export type DependentCounts = { kind: DependentKind; count: number }[];
