import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import type { SecondStep } from '#shared/features/users/second-factor.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import type { LinkInfo } from '#shared/features/users/users.ts';
import { messages } from '#shared/messages.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { usePageTitle } from '../../lib/page-title.tsx';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { PublicPanel } from './public-panel.tsx';
import { LazySecondStep } from './second-step/lazy-second-step.ts';
import { snapshotOf, useSession } from './session-context.ts';
import { useSignInOptions } from './use-sign-in-options.ts';

/** Target of a one-time link, an invitation or a password reset: sets the password and signs in. */
export default function LinkPage() {
  const { token = '' } = useParams();
  usePageTitle();
  const options = useSignInOptions();
  const [step, setStep] = useState<SecondStep>();
  const navigate = useNavigate();
  const goOn = () => void navigate('/dashboard', { replace: true });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['session.link', token],
    queryFn: () => api.session.link.mutate({ token }),
    retry: (count, failure) => wireErrorOf(failure) === undefined && count < 3,
    gcTime: 0,
  });

  if (step !== undefined) {
    const restart = () => void navigate('/auth/login', { replace: true });
    return (
      <Suspense fallback={null}>
        <LazySecondStep step={step} onSignedIn={goOn} onRestart={restart} />
      </Suspense>
    );
  }
  if (isPending) {
    return (
      <PublicPanel title="One moment">
        <Skeleton className="h-40" />
      </PublicPanel>
    );
  }
  if (data === undefined) {
    // A malformed token is treated like a used one.
    const code = wireErrorOf(error)?.code;
    const invalid = code === 'not_found' || code === 'invalid';
    return (
      <PublicPanel title={invalid ? 'Link not valid' : messages.common.notReached}>
        <div role="alert" className="grid gap-3 text-ink-2">
          <p>
            {invalid ? accountMessages.linkInvalid : messageFor(error, messages.common.notReached)}{' '}
            {invalid && accountMessages.linkAsk}
          </p>
          {!invalid && <Button onClick={() => void refetch()}>Try again</Button>}
        </div>
      </PublicPanel>
    );
  }
  return (
    <PublicPanel
      title={data.kind === 'invite' ? accountMessages.welcome(data.firstName) : 'Choose a new password'}
    >
      {data.byProviderOnly && options !== undefined ? (
        <div className="grid gap-4">
          <p className="text-ink-2">
            {signInMessages.passwordsOff(options.providers.map(({ name }) => name).join(' or '))}
          </p>
          <ProviderButtons providers={options.providers} target="/dashboard" isFirst />
        </div>
      ) : (
        <PasswordForm info={data} token={token} onSignedIn={goOn} onStep={setStep} />
      )}
    </PublicPanel>
  );
}

type FormProps = {
  info: LinkInfo;
  token: string;
  onSignedIn: () => void;
  /** The password is set, and the person needs a second step. */
  onStep: (step: SecondStep) => void;
};

function PasswordForm({ info, token, onSignedIn, onStep }: FormProps) {
  const { adopt, beginAnew } = useSession();
  const form = useCommandForm({
    blank: { password: '' },
    schema: async () => (await import('#shared/features/users/users.ts')).followLinkInput,
    input: ({ password }) => ({ token, password }),
    async send(input) {
      const answer = await beginAnew(() => api.session.followLink.mutate(input));
      if (!('step' in answer)) adopt(snapshotOf(answer));
      return answer;
    },
    success: (answer) => ('step' in answer ? accountMessages.set : accountMessages.chosen),
    failure: accountMessages.followFailed,
    onSent: (answer) => ('step' in answer ? onStep(answer) : onSignedIn()),
  });
  return (
    <CommandForm form={form}>
      <fieldset disabled={form.busy} className="grid gap-4">
        <legend className="mb-4 text-ink-2">
          {info.kind === 'invite' ? accountMessages.chooseFirst : accountMessages.chooseNew}
        </legend>
        <TextField label="Email" name="email" value={info.email} readOnly autoComplete="username" />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${info.passwordMinLength} characters`}
          {...form.secret('password')}
        />
        <Button type="submit" variant="primary" size="lg" className="w-full">
          {form.busy ? 'Saving...' : 'Set password'}
        </Button>
      </fieldset>
    </CommandForm>
  );
}
