import { useNavigate } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { useSession } from '../../features/session/session-context.ts';
import { rememberSetupCode } from '../../features/users/setup-code.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmailField } from '../../ui/fields/email-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { pages } from '../pages.ts';

const BLANK = { firstName: '', lastName: '', email: '', password: '' };

/** Form for the first person of an empty database. Signs in and opens User Management with the code filled in. */
export function SetupEmptyForm({ code }: { code: string }) {
  const { reload, beginAnew } = useSession();
  const navigate = useNavigate();
  const form = useCommandForm({
    blank: BLANK,
    schema: async () => (await import('#shared/features/users/session.ts')).setupInput,
    input: (values) => ({ start: 'empty', code: code.trim(), ...values }),
    async send(input) {
      await beginAnew(() => api.session.setup.mutate(input));
      rememberSetupCode(code.trim());
      await reload();
    },
    failure: messages.session.setupFailed,
    onSent: () => void navigate(pages.userManagement.path),
  });

  return (
    <CommandForm form={form}>
      <fieldset disabled={form.busy} className="grid gap-3">
        <legend className="sr-only">The first person</legend>
        <TextField label="First name" autoComplete="given-name" {...form.text('firstName')} />
        <TextField label="Last name" autoComplete="family-name" {...form.text('lastName')} />
        <EmailField autoComplete="username" {...form.text('email')} />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          {...form.secret('password')}
        />
        <Button type="submit" disabled={form.busy || code.trim() === ''} className="mt-1">
          {form.busy ? 'Preparing...' : 'Start empty'}
        </Button>
      </fieldset>
    </CommandForm>
  );
}
