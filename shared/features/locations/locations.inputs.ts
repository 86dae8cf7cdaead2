import { z } from 'zod';
import { fromTo } from '../../changed-field.ts';
import { messages } from '../../messages.ts';
import { nameText } from '../../text/text.ts';
import { buildingFieldEdits, newBuildingFields } from './building-fields.ts';
import { FLOORS_MAX } from './floors.ts';
import { buildingIdSchema } from './locations.ts';
import { placeMessages } from './place-messages.ts';

const NAME_MAX = 200;
const SEARCH_MAX = 200;
export const FLOOR_NAME_MAX = 100;

const tooLong = messages.common.tooLong;
const clientNameSchema = nameText().min(1, placeMessages.clientNameRequired).max(NAME_MAX, tooLong(NAME_MAX));
/** The total number of floors, without the basement. */
const floorsSchema = z
  .number({ error: placeMessages.floorsMin })
  .int(placeMessages.floorsWhole)
  .min(1, placeMessages.floorsMin)
  .max(FLOORS_MAX, placeMessages.floorsMax(FLOORS_MAX));

/** Input of `locations.createClient`. */
export const createClientInput = z.strictObject({ operationId: z.uuid(), name: clientNameSchema });
export type CreateClientInput = z.infer<typeof createClientInput>;

/**
 * A building as the forms add it. The client is given either by id, if it was chosen from a list, or by name, if it was
 * typed: then it is found or created.
 */
export const newBuildingSchema = z.strictObject({
  clientId: z.uuid(placeMessages.clientRequired).optional(),
  clientName: nameText().min(1, placeMessages.clientRequired).max(NAME_MAX, tooLong(NAME_MAX)).optional(),
  ...newBuildingFields,
  floors: floorsSchema.optional(),
  basement: z.boolean().default(false),
});
export type NewBuilding = z.infer<typeof newBuildingSchema>;

/** Input of `locations.createBuilding`, the one command behind every form that adds a building. */
export const createBuildingInput = newBuildingSchema
  .extend({ operationId: z.uuid() })
  .refine(({ clientId, clientName }) => (clientId === undefined) !== (clientName === undefined), {
    path: ['clientId'],
    message: placeMessages.clientRequired,
  });
export type CreateBuildingInput = z.infer<typeof createBuildingInput>;

/** Input of `locations.addFloors`. */
export const addFloorsInput = z.strictObject({
  operationId: z.uuid(),
  buildingId: z.uuid(messages.locations.buildingRequired),
  floors: floorsSchema,
  basement: z.boolean().default(false),
});
export type AddFloorsInput = z.infer<typeof addFloorsInput>;

/** Input of `locations.renameClient`: the name that the person saw, and the new one. */
export const renameClientInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  name: fromTo(clientNameSchema, z.string().max(NAME_MAX)),
});
export type RenameClientInput = z.infer<typeof renameClientInput>;

/** Input of `locations.updateBuilding`: each changed field with the value that the person saw and the new value. */
export const updateBuildingInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  changes: z
    .strictObject(buildingFieldEdits)
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, messages.common.nothingChanged),
});
export type UpdateBuildingInput = z.infer<typeof updateBuildingInput>;

/** Input of `locations.renameFloor`. A floor whose name is removed is named by its level again. */
export const renameFloorInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  name: fromTo(nameText().max(FLOOR_NAME_MAX, tooLong(FLOOR_NAME_MAX)), z.string().max(FLOOR_NAME_MAX)),
});
export type RenameFloorInput = z.infer<typeof renameFloorInput>;

/** The id of a client, a building or a floor. */
export const placeIdInput = z.strictObject({ id: z.uuid() });
/** Input of `locations.listFloors`. */
export const listFloorsInput = z.strictObject({ buildingId: buildingIdSchema });

/** Input of the commands that remove or restore a client, a building or a floor. */
export const placeInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type PlaceInput = z.infer<typeof placeInput>;

export const PLACES_PAGE_MAX = 500;
/** The last row of the page before, by name and id. `name` is the sort key, in which each number is padded with zeros. */
export const nameCursorSchema = z.strictObject({ name: z.string().max(12 * NAME_MAX), id: z.uuid() });
export type NameCursor = z.infer<typeof nameCursorSchema>;

/** Input of `locations.listClients`. */
export const listClientsInput = z.strictObject({
  search: z.string().trim().max(SEARCH_MAX).optional(),
  cursor: nameCursorSchema.optional(),
  limit: z.number().int().min(1).max(PLACES_PAGE_MAX).default(100),
});
/** Input of `locations.listBuildings`: the buildings of one client, or all. */
export const listBuildingsInput = listClientsInput.extend({ clientId: z.uuid().optional() });
export type ListBuildingsInput = z.output<typeof listBuildingsInput>;
export type ListClientsInput = z.output<typeof listClientsInput>;

/** The last row of the page before; the list is newest first. */
export const archiveCursorSchema = z.strictObject({ archivedAt: z.iso.datetime(), id: z.uuid() });
/** Input of `locations.listArchived`. */
export const listArchivedInput = z.strictObject({
  cursor: archiveCursorSchema.optional(),
  limit: z.number().int().min(1).max(PLACES_PAGE_MAX).default(100),
});
export type ListArchivedInput = z.output<typeof listArchivedInput>;
