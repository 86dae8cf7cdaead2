/** Classes of a cell in the tables of weeks and of records. */
export const weekCell =
  'h-[45px] px-3 py-2 align-middle first:pl-4 last:pr-4 md:max-lg:px-2 print:h-auto print:py-1';

/** Classes for phones, where a row is laid out as a card. */
export const phoneCell =
  'max-md:block max-md:h-auto max-md:w-auto max-md:p-0 max-md:first:pl-0 max-md:last:pr-0';

/** Hides the record number on narrow screens; the thread shows it too. */
export const recordCell = '[@media_screen_and_(width<64rem)]:hidden';
