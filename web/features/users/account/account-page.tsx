import { useQuery } from '@tanstack/react-query';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { tell } from '../../../forms/toasts.ts';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Page } from '../../../ui/page.tsx';
import { REAUTHENTICATION_OPTIONS } from '../../session/reauthentication/reauthentication-options.ts';
import { useMe, useSession } from '../../session/session-context.ts';
import { NoticeList } from '../notices/notice-list.tsx';
import { sessionList } from '../people.live.ts';
import { SessionList } from '../session-list.tsx';
import { OwnAccountsCard } from './own-accounts-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';

const NO_PASSWORDS = { current: '', password: '', again: '' };
const loadSchemas = () => import('#shared/features/users/users.ts');

/** The person's own name, password and sessions. */
export default function AccountPage() {
  return (
    <Page subtitle={accountMessages.subtitle}>
      <div className="grid max-w-4xl items-start gap-4 lg:grid-cols-2">
        <NoticeList />
        <div className="grid gap-4">
          <NameForm />
          <PasswordCard />
        </div>
        <div className="grid gap-4">
          <PasskeysCard />
          <SecondFactorCard />
          <OwnAccountsCard />
        </div>
        <OwnSessions />
      </div>
    </Page>
  );
}

function NameForm() {
  const { firstName, lastName } = useMe();
  const { reload } = useSession();
  const { mutate } = useLiveMutation();
  const form = useCommandForm({
    blank: { firstName, lastName },
    schema: async () => (await loadSchemas()).renameMeInput.omit({ operationId: true }),
    async send(input) {
      await mutate({ input, send: (whole, context) => api.users.renameMe.mutate(whole, context) });
      await reload();
    },
    success: accountMessages.renamed,
    failure: accountMessages.renameFailed,
  });
  return (
    <Card className="p-5">
      <h2 className="mb-4 font-semibold text-md">Name</h2>
      <CommandForm form={form}>
        <fieldset disabled={form.busy} className="grid gap-4">
          <legend className="sr-only">Name</legend>
          <TextField label="First name" autoComplete="given-name" {...form.text('firstName')} />
          <TextField label="Last name" autoComplete="family-name" {...form.text('lastName')} />
          <Button type="submit" variant="primary" className="sm:justify-self-start">
            {form.busy ? 'Saving...' : 'Save name'}
          </Button>
        </fieldset>
      </CommandForm>
    </Card>
  );
}

/**
 * Changes the password, and sends the change again after a network failure: the first request may have succeeded although
 * its answer, with the new cookie, was lost. The server recognises the repetition by the new password.
 */
async function changePassword(input: { current: string; password: string }): Promise<void> {
  try {
    await api.session.changePassword.mutate(input);
  } catch (error) {
    if (wireErrorOf(error) !== undefined) throw error;
    await api.session.changePassword.mutate(input);
  }
}

/** The form to change the password; a note for people who sign in without a password. */
function PasswordCard() {
  const { data } = useQuery(REAUTHENTICATION_OPTIONS);
  const names = data?.providers.map(({ name }) => name) ?? [];
  if (data?.hasPassword !== false) return <PasswordForm />;
  return (
    <Card className="p-5">
      <h2 className="mb-2 font-semibold text-md">Password</h2>
      <p className="text-ink-2">{accountMessages.noPassword(names.join(' or '))}</p>
    </Card>
  );
}

function PasswordForm() {
  const me = useMe();
  const form = useCommandForm({
    blank: NO_PASSWORDS,
    async schema() {
      const { changePasswordInput } = await loadSchemas();
      const { z } = await import('zod');
      return z
        .object({ ...changePasswordInput.shape, again: z.string() })
        .refine(({ password, again }) => password === again, {
          path: ['again'],
          message: accountMessages.passwordsDiffer,
        });
    },
    send: ({ current, password }) => changePassword({ current, password }),
    success: accountMessages.passwordChanged,
    failure: accountMessages.passwordFailed,
  });
  return (
    <Card className="p-5">
      <h2 className="mb-4 font-semibold text-md">Password</h2>
      <CommandForm form={form}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" name="username" autoComplete="username" value={me.email} readOnly hidden />
        <fieldset disabled={form.busy} className="grid gap-4">
          <legend className="sr-only">Password</legend>
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            {...form.secret('current')}
          />
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            {...form.secret('password')}
          />
          <TextField
            label="New password again"
            type="password"
            autoComplete="new-password"
            {...form.secret('again')}
          />
          <Button type="submit" variant="primary" className="sm:justify-self-start">
            {form.busy ? 'Saving...' : 'Change password'}
          </Button>
        </fieldset>
      </CommandForm>
    </Card>
  );
}

function OwnSessions() {
  const { mutate } = useLiveMutation();
  const { data, error, refetch } = useLiveQuery(sessionList, { userId: null });
  return (
    <Card className="p-5 lg:col-span-2">
      <h2 className="mb-2 font-semibold text-md">Sessions</h2>
      <SessionList
        sessions={data}
        error={error}
        onRetry={refetch}
        onEnd={async (sessionId) => {
          const answer = mutate({
            input: { sessionId },
            send: (input, context) => api.users.endMySession.mutate(input, context),
          });
          await tell(answer, { success: userMessages.sessionEnded, failure: userMessages.signOutFailed });
        }}
      />
    </Card>
  );
}
