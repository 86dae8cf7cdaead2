import { formatDateTime } from '#shared/dates.ts';
import type { LinkDelivery, LinkKind } from '#shared/features/users/users.ts';
import type { Services } from '../kernel/context.ts';
import { describeError } from '../kernel/database-errors.ts';
import { readTimeZone } from '../kernel/settings.ts';

type Letter = {
  kind: LinkKind;
  email: string;
  firstName: string;
  token: string;
  expiresAt: string;
  /** The name of the administrator who made the link; absent if the person asked for it. */
  madeBy?: string;
};

/** Mails a one-time link. Never throws; the result shows whether it was sent. */
export async function mailLink(
  services: Services,
  letter: Letter,
): Promise<Exclude<LinkDelivery, 'unknown'>> {
  const { mail, env, log, db } = services;
  if (mail === undefined || env.publicUrl === undefined) return 'none';
  const url = `${env.publicUrl}/${letter.kind}/${letter.token}`;
  try {
    const until = formatDateTime(letter.expiresAt, await readTimeZone(db));
    await mail.send({ to: letter.email, ...textOf(letter, url, until) });
    return 'sent';
  } catch (error) {
    log.warn({ causes: describeError(error) }, 'a mail could not be sent');
    return 'failed';
  }
}

function textOf(
  { kind, firstName, madeBy }: Letter,
  url: string,
  until: string,
): { subject: string; text: string } {
  if (kind === 'invite') {
    const invited = madeBy === undefined ? 'you have been invited' : `${madeBy} has invited you`;
    return {
      subject: 'Your invitation to Lintel',
      text:
        `Hello ${firstName},\n\n${invited} to Lintel. Accept the invitation here:\n\n${url}\n\n` +
        `The link works once, until ${until}.\n`,
    };
  }
  const [asked, ignore] =
    madeBy === undefined
      ? ['choose', 'If you did not ask for it, ignore this mail: nothing has changed.']
      : [`${madeBy} has made this link for you. Choose`, 'Until you use it, nothing has changed.'];
  return {
    subject: 'A new password for Lintel',
    text:
      `Hello ${firstName},\n\n${asked} a new password here:\n\n${url}\n\n` +
      `The link works once, until ${until}. ${ignore}\n`,
  };
}
