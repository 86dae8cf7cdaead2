import type { Mail, Message } from './mail.ts';

/** Keeps mail in memory for tests: `sent` holds it, newest last. */
export function memoryMail(): Mail & { sent: Message[] } {
  const sent: Message[] = [];
  return {
    sent,
    async send(message) {
      sent.push({ ...message });
    },
  };
}
