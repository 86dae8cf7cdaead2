/**
 * Reads a stream of bytes of Postgres' protocol as messages: a letter, the length, the body.
 * @param readers.onFirst takes the first message, which has no letter; absent if the first message has a letter, too
 * @param readers.onMessage takes each message: its letter, its body, and all its bytes
 */
export function postgresMessages(readers: {
  onFirst?(bytes: Buffer, body: Buffer): void;
  onMessage(type: string, body: Buffer, bytes: Buffer): void;
}): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let first = readers.onFirst !== undefined;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const letter = first ? 0 : 1;
      if (rest.length < letter + 4) return;
      const end = letter + rest.readUInt32BE(letter);
      if (rest.length < end) return;
      const [bytes, body] = [rest.subarray(0, end), rest.subarray(letter + 4, end)];
      if (first) readers.onFirst?.(bytes, body);
      else readers.onMessage(rest.toString('latin1', 0, 1), body, bytes);
      first = false;
      rest = rest.subarray(end);
    }
  };
}
