/** No more people than this are on the list of users: the administrators, and of the others the newest. */
export const PEOPLE_MAX = 5_000;
