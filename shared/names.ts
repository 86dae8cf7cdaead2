/** First and last name as others read them. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim();
}

/** A name as it stands under a record, with what the person is called since. */
export function signedName(name: string, now: string | null | undefined): string {
  return now == null || now === name ? name : `${name} (now ${now})`;
}
