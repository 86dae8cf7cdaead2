import { z } from 'zod';

/** A JSON schema, as far as it is looked at here. */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  [keyword: string]: unknown;
};

/** @param io whether the schema is of what is sent here, or of what is answered */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const override = (of: Parameters<typeof withoutNoise>[0]) => {
    withoutNoise(of);
    // Answers may get more fields in a later version.
    if (io === 'output') delete of.jsonSchema['additionalProperties'];
  };
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, override });
  // The cast: the library's type has the same keywords, each as its own union.
  return rest as JsonSchema;
}

/** Leaves out what says no more than the type: the pattern of a format, and the largest safe integers. */
function withoutNoise({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
}
