/** The most people in the list of users: all administrators, then the newest of the others. */
export const PEOPLE_MAX = 5_000;
/** The maximum length of a first or last name. */
export const PERSON_NAME_MAX = 80;
/** The number of days for which an invitation is valid. */
export const INVITE_DAYS = 7;
