import { z } from 'zod';

/** The parts of a JSON schema that are used here. */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  [keyword: string]: unknown;
};

/** @param io whether the schema describes what callers send, or what the API answers */
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

/** Removes keywords that add nothing to the type: the pattern of a format, and the largest safe integers. */
function withoutNoise({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
}
