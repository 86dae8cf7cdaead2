import { useState } from 'react';
import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import type { SecondStep as Step } from '#shared/features/users/second-factor.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { toastFailure } from '../../../forms/toasts.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { OrDivider } from '../or-divider.tsx';
import { PasskeySignIn } from '../passkeys/passkey-sign-in.tsx';
import { canUsePasskeys } from '../passkeys/passkey-support.ts';
import { PublicPanel } from '../public-panel.tsx';
import { snapshotOf, useSession } from '../session-context.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TotpSetup } from './totp-setup.tsx';
import { useCodeForm } from './use-code-form.ts';

const words = secondFactorMessages;
type Answer = Awaited<ReturnType<typeof api.session.completeSignIn.mutate>>;

type Props = {
  step: Step;
  /** The provider whose account is linked by this sign-in. */
  linking?: string | undefined;
  /** Called once signed in, with the id of the provider whose account was linked, or null. */
  onSignedIn: (linked: string | null) => void;
  /** The password has to be entered again. */
  onRestart: () => void;
};

/** The second step of a sign-in: a code, setting up an authenticator app, or the passkey instead of the password. */
export default function SecondStep({ step, linking, onSignedIn, onRestart }: Props) {
  const { adopt, beginAnew } = useSession();
  const [made, setMade] = useState<{ answer: Answer; codes: readonly string[] }>();

  function enter({ linked, ...signedIn }: Answer) {
    adopt(snapshotOf(signedIn));
    onSignedIn(linked);
  }
  /** Shows the failure; if the ticket of the sign-in is refused, returns to the password form. */
  function fail(error: unknown, failure: string) {
    toastFailure(error, failure);
    if (wireErrorOf(error)?.code === 'unauthenticated') onRestart();
  }

  if (made !== undefined) {
    return (
      // No back link, because leaving would lose the codes.
      <PublicPanel title={words.enrolTitle} back={null}>
        <RecoveryCodes codes={made.codes} onSaved={() => enter(made.answer)} />
      </PublicPanel>
    );
  }
  const restart = (
    <Button variant="quiet" className="mt-4 w-full" onClick={onRestart}>
      {words.again}
    </Button>
  );
  const canUseHere = canUsePasskeys() && step.passkeyHosts.includes(window.location.hostname);
  if (step.step === 'passkey') {
    return (
      <PublicPanel title={passkeyMessages.neededTitle}>
        <div className="grid gap-4">
          <p className="text-ink-2">{passkeyMessages.neededText}</p>
          {canUseHere ? (
            <PasskeySignIn isOnlyWay onSignedIn={onSignedIn} linking={linking} />
          ) : (
            <p role="status">
              {step.passkeyHosts.includes(window.location.hostname)
                ? passkeyMessages.unsupported
                : passkeyMessages.elsewhere(step.passkeyHosts.join(' or '))}
            </p>
          )}
          <p className="text-ink-2 text-sm">{passkeyMessages.neededLost}</p>
        </div>
        {restart}
      </PublicPanel>
    );
  }
  const { ticket } = step;
  if (step.step === 'code') {
    return (
      <PublicPanel title={words.title}>
        <CodeForm
          send={(code) => beginAnew(() => api.session.completeSignIn.mutate({ ticket, code }))}
          onSent={enter}
          onFailed={(error) => fail(error, words.failed)}
        />
        {canUseHere && (
          <>
            <OrDivider />
            <PasskeySignIn onSignedIn={onSignedIn} linking={linking} />
          </>
        )}
        {restart}
      </PublicPanel>
    );
  }
  async function begin() {
    try {
      return await api.session.beginEnrolment.mutate({ ticket });
    } catch (error) {
      if (wireErrorOf(error)?.code === 'unauthenticated') fail(error, words.enrolFailed);
      throw error;
    }
  }
  return (
    <PublicPanel title={words.enrolTitle}>
      <p className="mb-4 text-ink-2">{words.enrolText}</p>
      <TotpSetup
        begin={begin}
        send={(proof) => beginAnew(() => api.session.completeEnrolment.mutate({ ticket, ...proof }))}
        onSent={({ recoveryCodes, ...answer }) => setMade({ answer, codes: recoveryCodes })}
        onFailed={(error) => fail(error, words.enrolFailed)}
      />
      {restart}
    </PublicPanel>
  );
}

function CodeForm({
  send,
  onSent,
  onFailed,
}: {
  send: (code: string) => Promise<Answer>;
  onSent: (answer: Answer) => void;
  onFailed: (error: unknown) => void;
}) {
  const [byRecovery, setByRecovery] = useState(false);
  const form = useCodeForm({ send, onSent, onFailed });
  return (
    <CommandForm form={form}>
      <fieldset disabled={form.busy} className="grid gap-4">
        <legend className="mb-4 text-ink-2">{byRecovery ? words.recoveryText : words.codeText}</legend>
        <TextField
          // Remounts the field, so that a phone shows the other keyboard.
          key={String(byRecovery)}
          label={byRecovery ? words.recoveryCode : words.code}
          inputMode={byRecovery ? 'text' : 'numeric'}
          autoComplete={byRecovery ? 'off' : 'one-time-code'}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.text('code')}
        />
        <Button type="submit" variant="primary" size="lg" className="w-full">
          {form.busy ? words.verifying : words.verify}
        </Button>
        <Button
          variant="quiet"
          className="w-full"
          onClick={() => {
            form.set('code', '');
            setByRecovery(!byRecovery);
          }}
        >
          {byRecovery ? words.useApp : words.useRecovery}
        </Button>
      </fieldset>
    </CommandForm>
  );
}
