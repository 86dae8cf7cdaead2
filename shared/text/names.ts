/** First and last name in one line. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim();
}

/** Separates a person's name from the name of the API key through which a program acted in their name. */
export const VIA = ' via ';

/** The name of the author of a change: a person, or a program in their name. */
export function actorLabel(person: string, apiKeyName: string | null | undefined): string {
  return apiKeyName == null ? person : `${person}${VIA}${apiKeyName}`;
}

/** The name under a record, with the person's present name if it has changed. */
export function signedName(name: string, now: string | null | undefined): string {
  return now == null || now === name ? name : `${name} (now ${now})`;
}
