export type SendContext = {
  /** The owner of the command: the server must refuse the command from any other person. */
  userId: string;
  signal: AbortSignal;
};
export type OutgoingCommand = {
  id: string;
  command: string;
  input: unknown;
  createdAt: string;
  /** Milliseconds since the command was submitted, by the monotonic clock; undefined if the page that submitted it was closed. */
  ageMs?: number | undefined;
};
export type OutgoingAttachment = {
  id: string;
  sha256: string;
  contentType: string;
  bytes: number;
  /** The attachment's data as saved with the attachment. */
  about: unknown;
  data: Blob;
  /** The command to which the attachment belongs, with its receipt; the server has received this command already. */
  parent: { id: string; command: string; receipt: unknown };
};

/** Sends to the server. Both methods may be called again for something that the server already has. */
export type Transport = {
  /** @returns the receipt, which is stored with the command */
  send(command: OutgoingCommand, context: SendContext): Promise<unknown>;
  sendAttachment(
    attachment: OutgoingAttachment,
    context: SendContext & { onProgress: (sentBytes: number) => void },
  ): Promise<void>;
};
