const SHAPES = [
  /^(?<d>\d\d)(?<m>\d\d)(?<y>\d{4})$/,
  /^(?<m>\d\d)(?<d>\d\d)(?<y>\d{4})$/,
  /^(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)$/,
];

/** Returns whether eight digits form a date of this or the last century, in any usual order of day, month and year. */
export function isDateText(digits: string): boolean {
  return SHAPES.some((shape) => {
    const { d = '', m = '', y = '' } = shape.exec(digits)?.groups ?? {};
    return /^(19|20)/.test(y) && isBetween(d, 31) && isBetween(m, 12);
  });
}

function isBetween(digits: string, most: number): boolean {
  return Number(digits) >= 1 && Number(digits) <= most;
}
