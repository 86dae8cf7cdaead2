import { z } from 'zod';
import { fromTo } from '../../changed-field.ts';
import { messages } from '../../messages.ts';
import { nameText, typedLine } from '../../text/text.ts';
import { placeMessages } from './place-messages.ts';

// The fields of a building that people enter, besides client and floors. Row, commands, import, export and forms use this
// list. Its words are in building-fields.vocabulary.ts.

const NAME_MAX = 200;
const ADDRESS_MAX = 500;

const nameSchema = nameText()
  .min(1, placeMessages.buildingNameRequired)
  .max(NAME_MAX, messages.common.tooLong(NAME_MAX));
/** A blank address becomes null. */
const addressSchema = typedLine()
  .max(ADDRESS_MAX, messages.common.tooLong(ADDRESS_MAX))
  .nullable()
  .transform((address) => (address === '' ? null : address));

/** The fields as they are stored. */
export const buildingFields = {
  name: z.string().max(NAME_MAX),
  address: z.string().max(ADDRESS_MAX).nullable(),
  /** Healthcare premises require hotter water, because people in care are more at risk. */
  isHealthcare: z.boolean(),
};
export type BuildingField = keyof typeof buildingFields;
export type BuildingFields = { [F in BuildingField]: z.infer<(typeof buildingFields)[F]> };

/** The fields of a new building. All except the name have a default. */
export const newBuildingFields = {
  name: nameSchema,
  address: addressSchema.default(null),
  isHealthcare: z.boolean().default(false),
} satisfies Record<BuildingField, z.ZodType>;

/** The values of an empty form. */
export const BLANK_BUILDING: BuildingFields = { name: '', address: null, isHealthcare: false };

/** The fields of an edit: each with the value that the person saw and the new value. */
export const buildingFieldEdits = {
  name: fromTo(nameSchema, buildingFields.name),
  address: fromTo(addressSchema, buildingFields.address),
  isHealthcare: fromTo(z.boolean(), buildingFields.isHealthcare),
} satisfies Record<BuildingField, z.ZodType>;

/** Picks the fields from a row, an input or a table. */
export function pickBuildingFields<Row extends Record<BuildingField, unknown>>(
  row: Row,
): Pick<Row, BuildingField> {
  // The casts: Object.keys and fromEntries return any names.
  const names = Object.keys(buildingFields) as BuildingField[];
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, BuildingField>;
}
