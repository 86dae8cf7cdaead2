import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { usePageTitle } from '../../lib/page-title.tsx';
import { useFocusFirstError } from '../../lib/use-focus-first-error.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Logo } from '../../ui/logo.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { ForgotLink } from './forgot-link.tsx';
import { useSession } from './session-context.ts';

type FieldErrors = { email?: string | undefined; password?: string | undefined };

// The validation library is loaded while the person types rather than before the page shows.
const loadSchema = () => import('#shared/features/session.ts');

type Props = {
  /** Returns the remembered path if it is one of the app's pages, otherwise the dashboard. */
  toSafePath: (remembered: unknown) => string;
  /** Shown above the form: records on this device that wait for a sign-in. */
  notice: ReactNode;
};

/** Sign-in form; redirects to the remembered page once signed in. */
export default function SignInPage({ toSafePath, notice }: Props) {
  usePageTitle();
  const { user, signIn, expiredOffline } = useSession();
  const navigate = useNavigate();
  const location = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  useFocusFirstError(form, errors, busy);
  const target = toSafePath(Reflect.get(Object(location.state), 'from'));

  useEffect(() => {
    if (user !== null) void navigate(target, { replace: true });
  }, [user, target, navigate]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setBusy(true);
    try {
      const { signInInput } = await loadSchema();
      const parsed = signInInput.safeParse({ email: data.get('email'), password: data.get('password') });
      if (!parsed.success) {
        const first: FieldErrors = {};
        for (const issue of parsed.error.issues) {
          if (issue.path[0] === 'email') first.email ??= issue.message;
          if (issue.path[0] === 'password') first.password ??= issue.message;
        }
        setErrors(first);
        return;
      }
      setErrors({});
      await signIn(parsed.data);
      toast({ title: messages.session.welcomeBack, text: messages.session.signedIn });
    } catch (error) {
      // 'unauthenticated' and 'invalid' both mean wrong credentials; the message does not say which of the two is
      // wrong.
      const code = wireErrorOf(error)?.code;
      const refused = code === 'unauthenticated' || code === 'invalid';
      const text = refused
        ? messages.session.wrongCredentials
        : messageFor(error, messages.session.loginUnexpected);
      toast({ title: messages.session.loginFailed, text, tone: 'destructive' });
    } finally {
      setBusy(false);
    }
  }

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
        <form
          ref={form}
          noValidate
          onSubmit={(event) => void submit(event)}
          onFocus={() => void loadSchema()}
          aria-busy={busy}
        >
          <fieldset disabled={busy} className="grid gap-4">
            <legend className="sr-only">Sign In</legend>
            <TextField
              label="Email"
              name="email"
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              error={errors.email}
            />
            <TextField
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
              error={errors.password}
            />
            <Button type="submit" variant="primary" size="lg" className="mt-1 w-full">
              {busy ? 'Signing in...' : 'Sign In'}
            </Button>
          </fieldset>
        </form>
        <ForgotLink />
      </div>
      <ButtonLink to="/" variant="quiet">
        Back to Home
      </ButtonLink>
    </main>
  );
}
