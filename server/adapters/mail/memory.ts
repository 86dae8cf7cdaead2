import type { Mail, Message } from './mail.ts';

/** Stores mail in memory for tests, in `sent`, newest last. */
export function memoryMail(): Mail & { sent: Message[] } {
  const sent: Message[] = [];
  return {
    sent,
    async send(message) {
      sent.push({ ...message });
    },
  };
}
