/** Minimum share of zero bytes for a text to count as UTF-16: Latin text has one zero byte in each pair. */
const MANY_ZEROS = 0.3;
/** Number of bytes read to detect the encoding. */
const SNIFFED = 4_096;

/**
 * Decodes the text of a file. A byte order mark determines the encoding. Without one the text is UTF-16 if it has many
 * zero bytes, UTF-8 if the bytes are valid UTF-8, and otherwise Windows-1252.
 * @param isCut the bytes end in the middle of the file, perhaps inside a character
 */
export function decodeText(bytes: Uint8Array, isCut: boolean): string {
  const encoding = encodingOf(bytes, isCut);
  // With `stream`, an incomplete character at the end is left out.
  return new TextDecoder(encoding).decode(bytes, { stream: isCut });
}

function encodingOf(bytes: Uint8Array, isCut: boolean): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  const sniffed = bytes.subarray(0, SNIFFED);
  sniffed.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros.map((count) => count / Math.max(1, sniffed.length / 2));
  if (odd > MANY_ZEROS && even < odd / 4) return 'utf-16le';
  if (even > MANY_ZEROS && odd < even / 4) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** Maximum length of a line laid out in one piece, in characters. */
const LONGEST_LINE = 2_000;
const BLOCK = 20_000;

/**
 * Splits a text into blocks that are laid out one by one: a browser hangs for seconds when it has to break one line of a
 * megabyte. No character is lost.
 */
export function textBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block = '';
  for (const line of text.replace(/\r\n?/g, '\n').split(/(?<=\n)/)) {
    for (let at = 0; at < line.length; at += LONGEST_LINE) {
      const piece = line.slice(at, at + LONGEST_LINE);
      if (block !== '' && block.length + piece.length > BLOCK) {
        blocks.push(block);
        block = '';
      }
      block += piece;
    }
  }
  if (block !== '') blocks.push(block);
  return blocks;
}
