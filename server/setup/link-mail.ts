import { formatDateTime } from '#shared/dates.ts';
import type { LinkKind, LinkMailed } from '#shared/features/users.ts';
import type { Services } from '../context.ts';
import { describeError } from '../database-errors.ts';

type Letter = { kind: LinkKind; email: string; firstName: string; token: string; expiresAt: string };

/** Sends a one-time link. Never throws: whoever asked for the link can pass it on themselves. */
export async function mailLink(services: Services, letter: Letter): Promise<LinkMailed> {
  const { mail, env, log } = services;
  if (mail === undefined || env.publicUrl === undefined) return 'none';
  const url = `${env.publicUrl}/${letter.kind}/${letter.token}`;
  const until = formatDateTime(letter.expiresAt);
  try {
    await mail.send({ to: letter.email, ...textOf(letter, url, until) });
    return 'sent';
  } catch (error) {
    log.warn({ causes: describeError(error) }, 'a mail could not be sent');
    return 'failed';
  }
}

function textOf({ kind, firstName }: Letter, url: string, until: string): { subject: string; text: string } {
  if (kind === 'invite') {
    return {
      subject: 'Your invitation to Lintel',
      text:
        `Hello ${firstName},\n\nyou have been invited to Lintel. Choose your password here:\n\n${url}\n\n` +
        `The link works once, until ${until}.\n`,
    };
  }
  return {
    subject: 'A new password for Lintel',
    text:
      `Hello ${firstName},\n\nchoose a new password here:\n\n${url}\n\n` +
      `The link works once, until ${until}. If you did not ask for it, ignore this mail: nothing has changed.\n`,
  };
}
