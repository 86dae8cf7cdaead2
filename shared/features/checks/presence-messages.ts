/** "Ann Weber is", "Ann Weber and Ben Ward are", "Ann Weber and 2 others are". */
function are(names: readonly string[]): string {
  const [first = '', second] = names;
  if (second === undefined) return `${first} is`;
  return `${first} and ${names.length === 2 ? second : `${names.length - 1} others`} are`;
}

/** Sentences of a form about others at the site. */
export const presenceMessages = {
  testing: (names: readonly string[]) => `${are(names)} testing at this site too`,
  sameForm: (names: readonly string[]) => `${are(names)} filling in this form too`,
};
