const STEP = 1024;

/**
 * "1.5 KB": a size by the specification, in steps of 1,024 and rounded to two decimals without trailing zeros.
 * @param unit the word for single bytes: lists say "B", cards and dialogs "Bytes" (ruling S20)
 */
export function formatFileSize(bytes: number, unit: 'B' | 'Bytes' = 'B'): string {
  const units = [unit, 'KB', 'MB', 'GB'];
  const rounded = (power: number) => Math.round((bytes / STEP ** power) * 100) / 100;
  let power = 0;
  // Compares the rounded number: otherwise 1,048,575 bytes would be "1024 KB".
  while (power < units.length - 1 && rounded(power) >= STEP) power += 1;
  return `${rounded(power)} ${units[power]}`;
}
