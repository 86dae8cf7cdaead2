export type SendContext = {
  /** The owner of the command: the server must refuse it from any other person. */
  userId: string;
  signal: AbortSignal;
};
export type OutgoingCommand = {
  id: string;
  command: string;
  input: unknown;
  createdAt: string;
  /** Milliseconds since it was submitted, by the monotonic clock; undefined if the page that submitted it was closed. */
  ageMs?: number | undefined;
};
export type OutgoingAttachment = {
  id: string;
  sha256: string;
  contentType: string;
  bytes: number;
  /** The attachment's data as saved with it. */
  about: unknown;
  data: Blob;
  /** The command to which it belongs, which the server has by now, with its receipt. */
  parent: { id: string; command: string; receipt: unknown };
};

/** Sends to the server. Both methods may be called again for something that the server already has. */
export type Transport = {
  /** @returns the receipt, which is kept */
  send(command: OutgoingCommand, context: SendContext): Promise<unknown>;
  sendAttachment(
    attachment: OutgoingAttachment,
    context: SendContext & { onProgress: (sentBytes: number) => void },
  ): Promise<void>;
};
