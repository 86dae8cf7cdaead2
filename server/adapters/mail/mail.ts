export type Message = { to: string; subject: string; text: string };

/** The way out for mail. */
export type Mail = {
  /** Resolves when the next server has taken it. @throws where it could not be handed over */
  send(message: Message): Promise<void>;
};
