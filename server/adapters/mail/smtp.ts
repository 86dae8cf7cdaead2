import nodemailer from 'nodemailer';
import type { Mail } from './mail.ts';

/** Short, because a person waits for it on screen. */
const TIMEOUT_MS = 5_000;

/**
 * Sends mail through an SMTP server.
 * @param url `smtp://user:password@host:587` (STARTTLS if offered) or `smtps://…:465`
 * @param from the sender's address
 */
export function smtpMail(url: string, from: string): Mail {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      // As an object, so that a comma in the address cannot add a second recipient.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    },
  };
}
