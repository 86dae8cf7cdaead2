import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { SecondStep } from '#shared/features/users/second-factor.ts';
import type { SignInOptions } from '#shared/features/users/sign-in.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { messages } from '#shared/messages.ts';
import { usePageTitle } from '../../lib/page-title.tsx';
import { whenIdle } from '../../lib/when-idle.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { cx } from '../../ui/cx.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { Logo } from '../../ui/logo.tsx';
import { needsLoginPrompt } from './login-prompt.ts';
import { OrDivider } from './or-divider.tsx';
import { PasskeySignIn } from './passkeys/passkey-sign-in.tsx';
import { canUsePasskeys } from './passkeys/passkey-support.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import { LazySecondStep } from './second-step/lazy-second-step.ts';
import { useSession } from './session-context.ts';
import { SignInForm } from './sign-in-form.tsx';
import { useSignInOptions } from './use-sign-in-options.ts';
import { type SignInObstacle, useSignInProblem } from './use-sign-in-problem.ts';

/** Maximum time that the welcome toast waits for the first page. */
const WELCOME_WITHIN_MS = 1_000;

type Props = {
  /** The page to open once signed in. */
  target: string;
  /** Shown above the form: records on this device that wait for a sign-in. */
  notice: ReactNode;
};

/** Sign-in page, with a password form and buttons for identity providers. Opens a page once signed in. */
export default function SignInPage({ target, notice }: Props) {
  usePageTitle();
  const { user, expiredOffline } = useSession();
  const navigate = useNavigate();
  const options = useSignInOptions();
  const problem = useSignInProblem(options);
  const [wantsPassword, setWantsPassword] = useState(false);
  const [step, setStep] = useState<SecondStep>();

  useEffect(() => {
    // Stays during the second step, which shows recovery codes until they are saved.
    if (user !== null && step === undefined) void navigate(target, { replace: true });
  }, [user, step, target, navigate]);

  const providers = options?.providers ?? [];
  const offersProviders = providers.length > 0 && problem?.isStep !== true;
  // Shown before the options are known, because people without providers need the form.
  const hasForm = options?.passwords !== 'emergency' || wantsPassword || problem?.isStep === true;
  const hasPasskey = canUsePasskeys();
  const linking = problem?.isStep === true ? problem.provider : undefined;
  const linkingTo = providers.find(({ id }) => id === linking)?.name;
  const onSignedIn = (linked: string | null) => {
    setStep(undefined);
    welcome(options, linking, linked);
  };
  if (step !== undefined) {
    return (
      <Suspense fallback={null}>
        <LazySecondStep
          step={step}
          linking={linking}
          onSignedIn={onSignedIn}
          onRestart={() => setStep(undefined)}
        />
      </Suspense>
    );
  }
  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-6 p-4">
      <div className="flex items-center gap-3">
        <Logo size={36} />
        <h1 className="font-semibold text-xl">{messages.app.name}</h1>
      </div>
      <div className="w-full max-w-sm rounded-panel border border-line bg-surface p-6">
        <h2 className="mb-4 font-semibold text-lg">
          {linkingTo === undefined ? 'Sign In' : signInMessages.linkTitle(linkingTo)}
        </h2>
        {expiredOffline && (
          <p role="status" className="mb-4 rounded-control bg-due-soft px-3 py-2 text-due">
            {messages.session.offlineExpired}
          </p>
        )}
        {problem !== undefined && <ProblemNotice {...problem} />}
        {notice}
        {hasForm && <SignInForm linking={linking} onSignedIn={onSignedIn} onStep={setStep} />}
        {hasForm && (hasPasskey || offersProviders) && <OrDivider />}
        <div className="grid gap-3">
          {hasForm && hasPasskey && <PasskeySignIn linking={linking} onSignedIn={onSignedIn} />}
          {offersProviders && (
            <ProviderButtons
              providers={providers}
              target={target}
              isFirst={!hasForm}
              forcesLogin={needsLoginPrompt() || problem !== undefined}
            />
          )}
        </div>
        {!hasForm && (
          <Button variant="quiet" className="mt-2 w-full" onClick={() => setWantsPassword(true)}>
            {signInMessages.emergencyOnly}
          </Button>
        )}
      </div>
      <ButtonLink to="/" variant="quiet">
        Back to Home
      </ButtonLink>
    </main>
  );
}

/** Shows a welcome toast. If an account at a provider was to be linked, the toast says whether this was done. */
function welcome(options: SignInOptions | undefined, linking: string | undefined, linked: string | null) {
  const title = messages.session.welcomeBack;
  const name = options?.providers.find(({ id }) => id === linking)?.name;
  const say = () => {
    if (name === undefined) toast({ title, text: messages.session.signedIn });
    else if (linked === null) toast({ title, text: signInMessages.notLinked(name), tone: 'destructive' });
    else toast({ title, text: signInMessages.linked(name) });
  };
  // The first page is rendered first, because drawing a toast takes a slow phone a tenth of a second.
  whenIdle(say, WELCOME_WITHIN_MS);
}

function ProblemNotice({ text, isStep }: Pick<SignInObstacle, 'text' | 'isStep'>) {
  return (
    <p
      role={isStep ? 'status' : 'alert'}
      className={cx(
        'mb-4 rounded-control px-3 py-2',
        isStep ? 'bg-info-soft text-info' : 'bg-due-soft text-due',
      )}
    >
      {text}
    </p>
  );
}
