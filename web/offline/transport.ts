export type SendContext = {
  /** Whose entry it is: the server must refuse it from anybody else. */
  userId: string;
  signal: AbortSignal;
};
export type OutgoingEntry = {
  id: string;
  command: string;
  input: unknown;
  createdAt: string;
  /** How long ago it was handed in, by a clock that nobody can set; undefined where the page that did so has ended. */
  ageMs?: number | undefined;
};
export type OutgoingAttachment = {
  id: string;
  sha256: string;
  contentType: string;
  bytes: number;
  /** What was said of it when it was saved. */
  about: unknown;
  data: Blob;
  /** What it belongs to, which the server has by now, and what the server said to it. */
  entry: { id: string; command: string; receipt: unknown };
};

/** How things reach the server. Both may be called again for what the server has already. */
export type Transport = {
  /** @returns the receipt, which is kept */
  send(entry: OutgoingEntry, context: SendContext): Promise<unknown>;
  sendAttachment(
    attachment: OutgoingAttachment,
    context: SendContext & { onProgress: (sentBytes: number) => void },
  ): Promise<void>;
};
