/** The value typed or chosen for one field; not necessarily valid yet. */
export type Typed = string | boolean | undefined;
/** Field values of one entry. `id` is assigned at the first change, because photos refer to it. */
export type EntryDraft = Readonly<Record<string, Typed>>;
