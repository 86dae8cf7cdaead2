import { useEffect, useState } from 'react';
import type { TotpEnrolment } from '#shared/features/users/second-factor.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { useCodeForm } from './use-code-form.ts';

const words = secondFactorMessages;
type Proof = { enrolment: string; code: string };

type Props<Answer> = {
  /** Requests a new secret. */
  begin: () => Promise<TotpEnrolment>;
  /** Sends the first code of the authenticator app. */
  send: (proof: Proof) => Promise<Answer>;
  onSent: (answer: Answer) => void;
  onFailed: (error: unknown) => void;
};

/** Sets up an authenticator app: a QR code to scan, and a field for the first code, as proof that the setup worked. */
export function TotpSetup<Answer>({ begin, ...rest }: Props<Answer>) {
  const [state, setState] = useState<{ enrolment?: TotpEnrolment; error?: unknown }>({});
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new secret only at the first render and at Try again
  useEffect(() => {
    let isGone = false;
    begin().then(
      (enrolment) => !isGone && setState({ enrolment }),
      (error: unknown) => {
        if (!isGone) setState({ error });
      },
    );
    return () => {
      isGone = true;
    };
  }, [attempt]);

  if (state.error !== undefined) {
    const retry = () => {
      setState({});
      setAttempt(attempt + 1);
    };
    return <ErrorState title={words.enrolFailed} error={state.error} onRetry={retry} />;
  }
  if (state.enrolment === undefined) return <Skeleton className="h-96" />;
  const onFailed = (error: unknown) => {
    rest.onFailed(error);
    // The enrolment has expired, so a new secret is needed.
    if (wireErrorOf(error)?.code === 'conflict') {
      setState({});
      setAttempt(attempt + 1);
    }
  };
  return <Setup enrolment={state.enrolment} {...rest} onFailed={onFailed} />;
}

function Setup<Answer>({
  enrolment: { secret, address, enrolment },
  send,
  onSent,
  onFailed,
}: Omit<Props<Answer>, 'begin'> & { enrolment: TotpEnrolment }) {
  const form = useCodeForm({ send: (code) => send({ enrolment, code }), onSent, onFailed });
  return (
    <CommandForm form={form}>
      <fieldset disabled={form.busy} className="grid min-w-0 gap-4">
        <legend className="mb-4 text-pretty">{words.scan}</legend>
        {/* A link, because on a phone the authenticator app is on the same device, which cannot scan its own screen. */}
        <a href={address} className="mx-auto block size-56 rounded-control" aria-label={words.openApp}>
          <QrCode text={address} label={words.qr} />
        </a>
        <div className="text-sm">
          <p className="text-ink-2">{words.typeIn}</p>
          <code className="mt-1 block select-all rounded-control bg-mute px-2 py-1 font-mono [overflow-wrap:anywhere]">
            {secret.replace(/(.{4})(?=.)/g, '$1 ')}
          </code>
        </div>
        <TextField
          label={words.firstCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus
          {...form.text('code')}
        />
        <Button type="submit" variant="primary" size="lg" className="w-full">
          {form.busy ? words.turningOn : words.turnOn}
        </Button>
      </fieldset>
    </CommandForm>
  );
}
