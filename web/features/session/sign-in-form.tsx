import type { SecondStep } from '#shared/features/users/second-factor.ts';
import type { SignInInput } from '#shared/features/users/session.ts';
import { messages } from '#shared/messages.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { type FormSchema, useCommandForm } from '../../forms/use-command-form.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { EmailField } from '../../ui/fields/email-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { ForgotLink } from './forgot-link.tsx';
import { useSession } from './session-context.ts';

/** Accepts any input: the server validates it, so that the first page does not wait for the validation library. */
const CHECKED_BY_SERVER: FormSchema<SignInInput> = {
  // The cast is safe: the server refuses any other input.
  safeParse: (data) => ({ success: true, data: data as SignInInput }),
};

type Props = {
  /** The provider whose account is linked by this sign-in. */
  linking: string | undefined;
  /** Called once signed in, with the id of the provider whose account was linked, or null. */
  onSignedIn: (linked: string | null) => void;
  /** The password is right, and the person needs a second step. */
  onStep: (step: SecondStep) => void;
};

/** Signs in by e-mail address and password. */
export function SignInForm({ linking, onSignedIn, onStep }: Props) {
  const { signIn } = useSession();
  const form = useCommandForm({
    blank: { email: '', password: '' },
    schema: CHECKED_BY_SERVER,
    async send(input) {
      const answer = await signIn({ ...input, ...(linking !== undefined && { linking }) });
      if ('step' in answer) onStep(answer);
      else onSignedIn(answer.linked);
    },
    failure: sayRefused,
  });
  return (
    <>
      <CommandForm form={form}>
        <fieldset disabled={form.busy} className="grid gap-4">
          <legend className="sr-only">Sign In</legend>
          <EmailField autoComplete="username" required {...form.text('email')} />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            {...form.secret('password')}
          />
          <Button type="submit" variant="primary" size="lg" className="mt-1 w-full">
            {form.busy ? 'Signing in...' : 'Sign In'}
          </Button>
        </fieldset>
      </CommandForm>
      <ForgotLink />
    </>
  );
}

/** 'unauthenticated' and 'invalid' both mean wrong credentials; the message does not say which of the two is wrong. */
function sayRefused(error: unknown): void {
  const code = wireErrorOf(error)?.code;
  const refused = code === 'unauthenticated' || code === 'invalid';
  const text = refused
    ? messages.session.wrongCredentials
    : messageFor(error, messages.session.loginUnexpected);
  toast({ title: messages.session.loginFailed, text, tone: 'destructive' });
}
