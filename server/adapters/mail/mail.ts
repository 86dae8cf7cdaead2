export type Message = { to: string; subject: string; text: string };

/** Sends mail. */
export type Mail = {
  /**
   * Resolves when the mail server has accepted the message.
   * @throws Error if it could not be handed over
   */
  send(message: Message): Promise<void>;
};
