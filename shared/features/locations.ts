import { z } from 'zod';
import { messages } from '../messages.ts';
import type { DependentKind } from './locations.vocabulary.ts';

/** Carries the six preset test locations of the product's sample portfolio. */
export const SAMPLE_SITE_ID = '018f0000-0000-7000-8000-000000000001';

/** A client as clients of the stream see it. */
export const clientSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  archivedAt: z.string().nullable(),
  version: z.number().int(),
});
export type Client = z.infer<typeof clientSchema>;

/** A building; the product also calls it a site or a location. */
export const buildingSchema = z.object({
  id: z.uuid(),
  clientId: z.uuid(),
  clientName: z.string(),
  name: z.string(),
  /** Begins the numbers that people see: HAR-0142. */
  code: z.string(),
  address: z.string().nullable(),
  floorCount: z.number().int(),
  /** People in care are more at risk: hot water has to be hotter. */
  isHealthcare: z.boolean(),
  archivedAt: z.string().nullable(),
  version: z.number().int(),
});
export type Building = z.infer<typeof buildingSchema>;

/** What every building picker needs, and no more. */
export const buildingOptionSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  clientName: z.string(),
});
export type BuildingOption = z.infer<typeof buildingOptionSchema>;

/**
 * A building as everybody hears of it who may use it, whatever the role (live entity `place`): what pickers, cards and
 * the log show. Address, code and floors are of `building`, for those who may see locations.
 */
export const buildingSummarySchema = buildingOptionSchema.extend({
  isHealthcare: z.boolean(),
  archivedAt: z.string().nullable(),
  version: z.number().int(),
});
export type BuildingSummary = z.infer<typeof buildingSummarySchema>;

export const buildingIdSchema = z.uuid(messages.locations.buildingRequired);

/** One floor; 0 is the ground floor, negative is below it. */
export type Floor = {
  id: string;
  buildingId: string;
  level: number;
  name: string;
  isBasement: boolean;
};

/** A client in a list, with the buildings of it that the reader may see. */
export type ClientRow = Client & { buildingCount: number };

/** A part of a list in the order of the alphabet: lower(name), then id. */
export type NamedPage<Row> = {
  rows: Row[];
  /** How many there are in all. */
  total: number;
  /** Where the next page begins; null at the end. */
  nextCursor: { name: string; id: string } | null;
};

export type PlaceKind = 'client' | 'building' | 'floor';

/** An archived client, building or floor, and when it was put away. */
export type ArchivedPlace = {
  kind: PlaceKind;
  id: string;
  name: string;
  /** The client of a building, the building of a floor. */
  within: string | null;
  archivedAt: string;
  version: number;
};
export type ArchivedPage = {
  rows: ArchivedPlace[];
  total: number;
  nextCursor: { archivedAt: string; id: string } | null;
};

/** How many records hang below a client, a building or a floor, by kind. */
export type DependentCounts = { kind: DependentKind; count: number }[];
