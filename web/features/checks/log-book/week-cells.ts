/** How a cell of the week table is drawn, in the rows of its weeks and in those between them. */
export const weekCell =
  'h-[45px] px-3 py-2 align-middle first:pl-4 last:pr-4 md:max-lg:px-2 print:h-auto print:py-1';

/** On a phone a row is a small card. */
export const phoneCell =
  'max-md:block max-md:h-auto max-md:w-auto max-md:p-0 max-md:first:pl-0 max-md:last:pr-0';

/** The number of a record is in its thread too: where the table has no room, it is only there. */
export const recordCell = '[@media_screen_and_(width<64rem)]:hidden';
