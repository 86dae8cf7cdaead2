import { type ReactNode, useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import type { SignInInput } from '#shared/features/users/session.ts';
import { messages } from '#shared/messages.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { type FormSchema, useCommandForm } from '../../forms/use-command-form.ts';
import { usePageTitle } from '../../lib/page-title.tsx';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Logo } from '../../ui/logo.tsx';
import { ForgotLink } from './forgot-link.tsx';
import { useSession } from './session-context.ts';

type Props = {
  /** The page to open once signed in. */
  target: string;
  /** Shown above the form: records on this device that wait for a sign-in. */
  notice: ReactNode;
};

/** The server checks what is typed, so that no one waits for the validation library before the first page. */
const CHECKED_BY_SERVER: FormSchema<SignInInput> = {
  // The cast: the server refuses anything else.
  safeParse: (data) => ({ success: true, data: data as SignInInput }),
};

/** Sign-in form; opens a page once signed in. */
export default function SignInPage({ target, notice }: Props) {
  usePageTitle();
  const { user, signIn, expiredOffline } = useSession();
  const navigate = useNavigate();

  useEffect(() => {
    if (user !== null) void navigate(target, { replace: true });
  }, [user, target, navigate]);

  const form = useCommandForm({
    blank: { email: '', password: '' },
    schema: CHECKED_BY_SERVER,
    async send(input) {
      await signIn(input);
      toast({ title: messages.session.welcomeBack, text: messages.session.signedIn });
    },
    failure: sayRefused,
  });

  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-6 p-4">
      <div className="flex items-center gap-3">
        <Logo size={36} />
        <h1 className="font-semibold text-xl">{messages.app.name}</h1>
      </div>
      <div className="w-full max-w-sm rounded-panel border border-line bg-surface p-6">
        <h2 className="mb-4 font-semibold text-lg">Sign In</h2>
        {expiredOffline && (
          <p role="status" className="mb-4 rounded-control bg-due-soft px-3 py-2 text-due">
            {messages.session.offlineExpired}
          </p>
        )}
        {notice}
        <CommandForm form={form}>
          <fieldset disabled={form.busy} className="grid gap-4">
            <legend className="sr-only">Sign In</legend>
            <TextField
              label="Email"
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              {...form.text('email')}
            />
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
      </div>
      <ButtonLink to="/" variant="quiet">
        Back to Home
      </ButtonLink>
    </main>
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
