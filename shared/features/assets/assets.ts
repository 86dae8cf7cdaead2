import { z } from 'zod';
import { fromTo } from '../../changed-field.ts';
import { messages } from '../../messages.ts';
import { nameText, typedText } from '../../text/text.ts';
import {
  ASSET_DEFAULTS,
  ASSET_FREQUENCIES,
  ASSET_SEARCH_MAX,
  ASSET_SELECTION_MAX,
  ASSET_SORTS,
  ASSET_STATUSES,
  ASSET_TYPES,
  OUTLET_KINDS,
  SORT_DIRECTIONS,
} from './assets.vocabulary.ts';
import { assetMessages } from './assets-messages.ts';

export const ASSET_NAME_MAX = 200;
export const ASSET_DESCRIPTION_MAX = 2000;
export const ASSET_ROOM_MAX = 100;
export const ASSET_QUANTITY_MAX = 100_000;

const nameSchema = nameText()
  .min(1, assetMessages.nameRequired)
  .max(ASSET_NAME_MAX, messages.common.tooLong(ASSET_NAME_MAX));
const descriptionSchema = typedText()
  .min(1, assetMessages.descriptionRequired)
  .max(ASSET_DESCRIPTION_MAX, messages.common.tooLong(ASSET_DESCRIPTION_MAX));
/** An empty room becomes the default room. */
const roomSchema = nameText()
  .max(ASSET_ROOM_MAX, messages.common.tooLong(ASSET_ROOM_MAX))
  .transform((room) => (room === '' ? ASSET_DEFAULTS.roomName : room));
const quantitySchema = z
  .number(assetMessages.quantityInvalid)
  .int(assetMessages.quantityInvalid)
  .min(1, assetMessages.quantityInvalid)
  .max(ASSET_QUANTITY_MAX, assetMessages.quantityTooHigh(ASSET_QUANTITY_MAX));
const typeSchema = z.enum(ASSET_TYPES);
const outletKindSchema = z.enum(OUTLET_KINDS).nullable();
const frequencySchema = z.enum(ASSET_FREQUENCIES);
/** A calendar date; null is "Never". Postgres has no year 0. */
const daySchema = z.iso
  .date(messages.common.dateInvalid)
  .refine((day) => day >= '0001-01-01', messages.common.dateInvalid)
  .nullable();
const floorIdSchema = z.uuid(assetMessages.floorUnknown).nullable();

/** An asset as answers and events carry it. */
export const assetSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  type: typeSchema,
  /** Null if unclassified: the outlet then counts as cold. */
  outletKind: outletKindSchema,
  quantity: z.number().int(),
  /** A calendar date; null is "Never". */
  lastVisitDate: z.string().nullable(),
  frequency: frequencySchema,
  buildingId: z.uuid(),
  buildingName: z.string(),
  floorId: z.uuid().nullable(),
  floorName: z.string().nullable(),
  roomName: z.string(),
  /** Floor and room in one line, which the search covers. */
  location: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  retiredAt: z.string().nullable(),
  version: z.number().int(),
});
export type Asset = z.infer<typeof assetSchema>;

/** Input of `assets.create`. `id` is made by the client (UUIDv7) and becomes the primary key. */
export const createAssetInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  name: nameSchema,
  description: descriptionSchema,
  buildingId: z.uuid(messages.locations.buildingRequired),
  floorId: floorIdSchema.default(null),
  roomName: roomSchema.default(ASSET_DEFAULTS.roomName),
  type: typeSchema.default(ASSET_DEFAULTS.type),
  outletKind: outletKindSchema.default(null),
  quantity: quantitySchema.default(ASSET_DEFAULTS.quantity),
  /** Absent means today. */
  lastVisitDate: daySchema.optional(),
  frequency: frequencySchema.default(ASSET_DEFAULTS.frequency),
});
export type CreateAssetInput = z.infer<typeof createAssetInput>;

/** The fields of an asset that can be changed; not the building, so that a building's records stay complete. */
export const assetEditSchema = z.object({
  name: nameSchema,
  description: descriptionSchema,
  type: typeSchema,
  outletKind: outletKindSchema,
  quantity: quantitySchema,
  lastVisitDate: daySchema,
  frequency: frequencySchema,
  floorId: floorIdSchema,
  roomName: roomSchema,
});
export type AssetEdit = z.infer<typeof assetEditSchema>;

/** Input of `assets.update`: each changed field with the value that the person saw and the new value. */
export const updateAssetInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  changes: z
    .strictObject({
      name: fromTo(nameSchema, z.string().max(ASSET_NAME_MAX)),
      description: fromTo(descriptionSchema, z.string().max(ASSET_DESCRIPTION_MAX)),
      type: fromTo(typeSchema, typeSchema),
      outletKind: fromTo(outletKindSchema, outletKindSchema),
      quantity: fromTo(quantitySchema, z.number()),
      lastVisitDate: fromTo(daySchema, daySchema),
      frequency: fromTo(frequencySchema, frequencySchema),
      floorId: fromTo(floorIdSchema, floorIdSchema),
      roomName: fromTo(roomSchema, z.string().max(ASSET_ROOM_MAX)),
    })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, messages.common.nothingChanged),
});
export type UpdateAssetInput = z.infer<typeof updateAssetInput>;

/** Input of `assets.duplicate`. Without a name the copy is called "Copy of" and the name of the original. */
export const duplicateAssetInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  sourceId: z.uuid(),
  name: nameSchema.optional(),
});
export type DuplicateAssetInput = z.infer<typeof duplicateAssetInput>;

/** Input of `assets.retire` and `assets.restore`. */
export const retireAssetInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type RetireAssetInput = z.infer<typeof retireAssetInput>;

/**
 * The filter of an asset list or count. An absent field does not narrow it, except `status`: retired assets are listed
 * only on request.
 */
export const assetFilterSchema = z.strictObject({
  buildingId: z.uuid().optional(),
  floorId: z.uuid().optional(),
  type: typeSchema.optional(),
  status: z.enum(ASSET_STATUSES).optional(),
  search: z.string().trim().max(ASSET_SEARCH_MAX).optional(),
});
export type AssetFilter = z.infer<typeof assetFilterSchema>;

/** The order of an asset list; ties are broken by name, then by id, in the same direction. */
export const assetOrderSchema = z.strictObject({
  sort: z.enum(ASSET_SORTS).default('name'),
  direction: z.enum(SORT_DIRECTIONS).default('asc'),
});
export type AssetOrder = z.infer<typeof assetOrderSchema>;

/** The last row of the page before: its sort keys as the database computes them, and its id. */
export const assetCursorSchema = z.strictObject({
  keys: z
    // A name's key is longer than the name: each number in it is padded with zeros.
    .array(z.string().max(12 * ASSET_NAME_MAX))
    .min(1)
    .max(3),
  id: z.uuid(),
});
export type AssetCursor = z.infer<typeof assetCursorSchema>;

export const ASSET_PAGE_MAX = 200;
/** Input of `assets.list`. */
export const listAssetsInput = z.strictObject({
  filter: assetFilterSchema,
  order: assetOrderSchema.default({ sort: 'name', direction: 'asc' }),
  cursor: assetCursorSchema.optional(),
  limit: z.number().int().min(1).max(ASSET_PAGE_MAX).default(50),
});

export type AssetPage = {
  rows: Asset[];
  /** Null on the last page. */
  nextCursor: AssetCursor | null;
};

/** The number of assets that match a filter, and the number that match its building and status alone. */
export type AssetCounts = {
  matching: number;
  /** True if more match: the results of a search are counted up to `COUNTED_MAX`. */
  matchingIsLeast: boolean;
  total: number;
};

export const assetIdInput = z.strictObject({ id: z.uuid() });
/** Input of `assets.some`: the assets of a selection, retired or not. */
export const someAssetsInput = z.strictObject({
  ids: z.array(z.uuid()).min(1).max(ASSET_SELECTION_MAX),
});
