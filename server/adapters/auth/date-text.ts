const SHAPES = [
  /^(?<d>\d\d)(?<m>\d\d)(?<y>\d{4})$/,
  /^(?<m>\d\d)(?<d>\d\d)(?<y>\d{4})$/,
  /^(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)$/,
];

/** Are these eight digits a date of this or the last century, in any order that people write one? */
export function isDateText(digits: string): boolean {
  return SHAPES.some((shape) => {
    const { d = '', m = '', y = '' } = shape.exec(digits)?.groups ?? {};
    return /^(19|20)/.test(y) && isBetween(d, 31) && isBetween(m, 12);
  });
}

function isBetween(digits: string, most: number): boolean {
  return Number(digits) >= 1 && Number(digits) <= most;
}
