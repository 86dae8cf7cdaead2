import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountMessages } from '#shared/features/account-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { usePageTitle } from '../../lib/page-title.tsx';
import { api } from '../../lib/trpc.ts';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { PublicPanel } from './public-panel.tsx';

/** Requests a link to set a new password. The answer is the same whether or not the account exists. */
export default function ForgotPage() {
  usePageTitle();
  const [done, setDone] = useState(false);
  const recovery = useQuery({
    queryKey: ['session.recovery'],
    queryFn: () => api.session.recovery.query(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { form, busy, errors, onSubmit } = useCheckedForm({
    schema: async () => (await import('#shared/features/users.ts')).forgotPasswordInput,
    values: (entries) => entries,
    async send(input) {
      await api.session.forgotPassword.mutate(input);
      setDone(true);
    },
    onFailed(error) {
      if (wireErrorOf(error)?.code === 'invalid') return;
      const text = messageFor(error, accountMessages.forgotFailed);
      toast({ title: messages.common.error, text, tone: 'destructive' });
    },
  });

  return (
    <PublicPanel title={accountMessages.forgot} back={{ to: '/auth/login', label: 'Back to Sign In' }}>
      {done || recovery.data?.byMail === false ? (
        <p role="status" className="text-ink-2">
          {done ? accountMessages.forgotDone : accountMessages.noMail}
        </p>
      ) : (
        <form ref={form} noValidate onSubmit={onSubmit} aria-busy={busy}>
          <fieldset disabled={busy} className="grid gap-4">
            <legend className="mb-4 text-ink-2">{accountMessages.forgotText}</legend>
            <TextField
              label="Email"
              name="email"
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              error={errors['email']}
            />
            <Button type="submit" variant="primary" size="lg" className="w-full">
              {busy ? 'Sending...' : 'Send link'}
            </Button>
          </fieldset>
        </form>
      )}
    </PublicPanel>
  );
}
