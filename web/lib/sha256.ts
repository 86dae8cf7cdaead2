/**
 * The SHA-256 of some bytes, in hexadecimal. Pages over plain http lack the browser's implementation and use `digest`.
 */
export async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  const hash =
    subtle === undefined
      ? digest(new Uint8Array(bytes))
      : new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** SHA-256 by FIPS 180-4. */
export function digest(message: Uint8Array): Uint8Array {
  const { constants, start } = tables();
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x2000_0000));
  view.setUint32(padded.length - 4, message.length << 3);
  const state = Uint32Array.from(start);
  const w = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < 64; i += 1) {
      const [a, b] = [at(w, i - 15), at(w, i - 2)];
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
    }
    mix(state, w, constants);
  }
  const result = new Uint8Array(32);
  const out = new DataView(result.buffer);
  state.forEach((word, i) => {
    out.setUint32(i * 4, word);
  });
  return result;
}

function mix(state: Uint32Array, w: Uint32Array, constants: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + at(constants, i) + at(w, i)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = at(state, i) + word;
  });
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The constants of SHA-256: the first fractional bits of the roots of the first primes, computed instead of listed. */
function tables(): { constants: Uint32Array; start: Uint32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const bits = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  return {
    constants: Uint32Array.from(primes, (prime) => bits(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => bits(Math.sqrt(prime))),
  };
}
