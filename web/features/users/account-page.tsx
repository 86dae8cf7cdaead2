import { accountMessages } from '#shared/features/account-messages.ts';
import { userMessages } from '#shared/features/users-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { api } from '../../lib/trpc.ts';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useMe, useSession } from '../session/session-context.ts';
import { sessionList } from './people.live.ts';
import { SessionList } from './session-list.tsx';

const loadSchemas = () => import('#shared/features/users.ts');

/** The person's own name, password and sessions. */
export default function AccountPage() {
  return (
    <Page subtitle={accountMessages.subtitle}>
      <div className="grid max-w-4xl items-start gap-4 lg:grid-cols-2">
        <NameForm />
        <PasswordForm />
        <OwnSessions />
      </div>
    </Page>
  );
}

function failed(error: unknown, fallback: string): void {
  if (wireErrorOf(error)?.code === 'invalid') return;
  toast({ title: messages.common.error, text: messageFor(error, fallback), tone: 'destructive' });
}

function NameForm() {
  const me = useMe();
  const { reload } = useSession();
  const { mutate } = useLiveMutation();
  const { form, busy, errors, onSubmit } = useCheckedForm({
    schema: async () => (await loadSchemas()).renameMeInput.omit({ operationId: true }),
    values: (entries) => entries,
    async send(input) {
      await mutate({ input, send: (whole, context) => api.users.renameMe.mutate(whole, context) });
      await reload();
      toast({ title: messages.common.success, text: accountMessages.renamed });
    },
    onFailed: (error) => failed(error, accountMessages.renameFailed),
  });
  return (
    <Card className="p-5">
      <h2 className="mb-4 font-semibold text-md">Name</h2>
      <form ref={form} noValidate onSubmit={onSubmit} aria-busy={busy}>
        <fieldset disabled={busy} className="grid gap-4">
          <legend className="sr-only">Name</legend>
          <TextField
            label="First name"
            name="firstName"
            defaultValue={me.firstName}
            autoComplete="given-name"
            error={errors['firstName']}
          />
          <TextField
            label="Last name"
            name="lastName"
            defaultValue={me.lastName}
            autoComplete="family-name"
            error={errors['lastName']}
          />
          <Button type="submit" variant="primary" className="sm:justify-self-start">
            {busy ? 'Saving...' : 'Save name'}
          </Button>
        </fieldset>
      </form>
    </Card>
  );
}

/**
 * Sends the change again after a network failure: the first request may have succeeded and its answer, with the new
 * cookie, been lost. The server recognises the repetition by the new password.
 */
async function changePassword(input: { current: string; password: string }): Promise<void> {
  try {
    await api.session.changePassword.mutate(input);
  } catch (error) {
    if (wireErrorOf(error) !== undefined) throw error;
    await api.session.changePassword.mutate(input);
  }
}

function PasswordForm() {
  const me = useMe();
  const { form, busy, errors, onSubmit } = useCheckedForm({
    schema: async () => {
      const { changePasswordInput } = await loadSchemas();
      const { z } = await import('zod');
      return z
        .object({ ...changePasswordInput.shape, again: z.string() })
        .refine(({ password, again }) => password === again, {
          path: ['again'],
          message: accountMessages.passwordsDiffer,
        });
    },
    values: (entries) => entries,
    async send({ current, password }, element) {
      await changePassword({ current, password });
      element.reset();
      toast({ title: messages.common.success, text: accountMessages.passwordChanged });
    },
    onFailed: (error) => failed(error, accountMessages.passwordFailed),
  });
  return (
    <Card className="p-5">
      <h2 className="mb-4 font-semibold text-md">Password</h2>
      <form ref={form} noValidate onSubmit={onSubmit} aria-busy={busy}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" name="username" autoComplete="username" value={me.email} readOnly hidden />
        <fieldset disabled={busy} className="grid gap-4">
          <legend className="sr-only">Password</legend>
          <TextField
            label="Current password"
            name="current"
            type="password"
            autoComplete="current-password"
            error={errors['current']}
          />
          <TextField
            label="New password"
            name="password"
            type="password"
            autoComplete="new-password"
            error={errors['password']}
          />
          <TextField
            label="New password again"
            name="again"
            type="password"
            autoComplete="new-password"
            error={errors['again']}
          />
          <Button type="submit" variant="primary" className="sm:justify-self-start">
            {busy ? 'Saving...' : 'Change password'}
          </Button>
        </fieldset>
      </form>
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
          try {
            await mutate({
              input: { sessionId },
              send: (input, context) => api.users.endMySession.mutate(input, context),
            });
            toast({ title: messages.common.success, text: userMessages.sessionEnded });
          } catch (failure) {
            failed(failure, userMessages.signOutFailed);
          }
        }}
      />
    </Card>
  );
}
