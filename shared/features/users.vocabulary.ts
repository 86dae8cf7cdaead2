/** No more people than this are on the list of users: the administrators, and of the others the newest. */
export const PEOPLE_MAX = 5_000;
/** The longest first or last name. */
export const PERSON_NAME_MAX = 80;
/** How long an invitation is good. */
export const INVITE_DAYS = 7;
