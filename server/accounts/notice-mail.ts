import { formatDateTime } from '#shared/dates.ts';
import { noticeAdvice, noticeSubject, noticeText } from '#shared/features/users/notice-text.ts';
import type { AccountNotice } from '#shared/features/users/users.ts';
import type { Services } from '../kernel/context.ts';
import { describeError } from '../kernel/database-errors.ts';
import { readTimeZone } from '../kernel/settings.ts';

/**
 * Mails a notice as well, if mail is configured. Runs in the background, because the notice is also shown on screen and
 * signing in must not wait for a mail server.
 */
export function mailNotice(
  { mail, env, log, db }: Pick<Services, 'mail' | 'env' | 'log' | 'db'>,
  person: { email: string; firstName: string },
  notice: Omit<AccountNotice, 'id'>,
): void {
  if (mail === undefined || env.publicUrl === undefined) return;
  const page = `${env.publicUrl}/account`;
  readTimeZone(db)
    .then((timeZone) => {
      const text =
        `Hello ${person.firstName},\n\n${noticeText(notice)}\n${formatDateTime(notice.at, timeZone)}\n\n` +
        `${noticeAdvice(notice)}\n\n${page}\n`;
      return mail.send({ to: person.email, subject: noticeSubject(notice), text });
    })
    .catch((error: unknown) =>
      log.warn({ causes: describeError(error) }, 'a mail about an account could not be sent'),
    );
}
