/** First and last name in one line. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim();
}

/** The name under a record, with the person's present name if it has changed. */
export function signedName(name: string, now: string | null | undefined): string {
  return now == null || now === name ? name : `${name} (now ${now})`;
}
