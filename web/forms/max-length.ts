/** The public parts of schemas that are read here, so that this file does not import the validation library. */
type Described = {
  def?: { innerType?: Described; in?: Described };
  shape?: Readonly<Record<string, Described | undefined>>;
  maxLength?: number | null;
};

/** The greatest length that a text schema accepts. */
export function maxLengthOf(schema: unknown): number | undefined {
  return bare(schema)?.maxLength ?? undefined;
}

/** The greatest length of a command's field, also of an edit (`changes.name.to`, `name.to`). */
export function maxLengthIn(schema: unknown, field: string): number | undefined {
  const own = bare(schema)?.shape;
  const found = bare(own?.[field] ?? bare(own?.['changes'])?.shape?.[field]);
  return maxLengthOf(found?.shape?.['to'] ?? found);
}

/** The schema inside `optional`, `nullable`, `default` and `transform`. */
function bare(schema: unknown): Described | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  // The cast: every field of the type may be missing.
  const described = schema as Described;
  const inner = described.def?.innerType ?? described.def?.in;
  return inner === undefined ? described : bare(inner);
}
