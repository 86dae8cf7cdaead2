import { useState } from 'react';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { usePageTitle } from '../../lib/page-title.tsx';
import { api } from '../../lib/trpc/trpc.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmailField } from '../../ui/fields/email-field.tsx';
import { PublicPanel } from './public-panel.tsx';
import { useSignInOptions } from './use-sign-in-options.ts';

/** Requests a link to set a new password. The answer is the same whether or not the account exists. */
export default function ForgotPage() {
  usePageTitle();
  const [done, setDone] = useState(false);
  const options = useSignInOptions();
  const form = useCommandForm({
    blank: { email: '' },
    schema: async () => (await import('#shared/features/users/users.ts')).forgotPasswordInput,
    send: (input) => api.session.forgotPassword.mutate(input),
    failure: accountMessages.forgotFailed,
    onSent: () => setDone(true),
  });

  return (
    <PublicPanel title={accountMessages.forgot} back={{ to: '/auth/login', label: 'Back to Sign In' }}>
      {options?.passwords === 'emergency' && (
        <p className="mb-4 rounded-control bg-info-soft px-3 py-2 text-info">
          {signInMessages.passwordsOff(options.providers.map(({ name }) => name).join(' or '))}
        </p>
      )}
      {done || options?.byMail === false ? (
        <p role="status" className="text-ink-2">
          {done ? accountMessages.forgotDone : accountMessages.noMail}
        </p>
      ) : (
        <CommandForm form={form}>
          <fieldset disabled={form.busy} className="grid gap-4">
            <legend className="mb-4 text-ink-2">{accountMessages.forgotText}</legend>
            <EmailField autoComplete="username" {...form.text('email')} />
            <Button type="submit" variant="primary" size="lg" className="w-full">
              {form.busy ? 'Sending...' : 'Send link'}
            </Button>
          </fieldset>
        </CommandForm>
      )}
    </PublicPanel>
  );
}
