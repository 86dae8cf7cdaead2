import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { reauthenticationMessages } from '#shared/features/users/reauthentication-messages.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import type { ReauthenticationOptions } from '#shared/features/users/session.ts';
import { reauthenticationAddress, type SignInProvider } from '#shared/features/users/sign-in.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { toastFailure } from '../../../forms/toasts.ts';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { buttonStyle } from '../../../ui/buttons/button-style.ts';
import { cx } from '../../../ui/cx.ts';
import { CancelButton } from '../../../ui/dialogs/cancel-button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { OrDivider } from '../or-divider.tsx';
import { canUsePasskeys } from '../passkeys/passkey-support.ts';
import { useMe } from '../session-context.ts';
import { CHANNEL, reauthentication } from './reauthentication.ts';
import { REAUTHENTICATION_OPTIONS } from './reauthentication-options.ts';

const words = reauthenticationMessages;
const loadCeremony = () => import('../passkeys/passkey-ceremony.ts');

/** Dialog in which the signed-in person authenticates again, which the server requires for sensitive commands. */
export default function ReauthenticationDialog() {
  const { data, error, refetch } = useQuery(REAUTHENTICATION_OPTIONS);
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => reauthentication.settle(true);
    return () => channel.close();
  }, []);

  return (
    <Dialog open onClose={() => reauthentication.settle(false)} title={words.title} size="sm">
      {data !== undefined ? (
        <Ways options={data} />
      ) : error ? (
        <ErrorState title={words.failed} error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-36" />
      )}
    </Dialog>
  );
}

function Ways({ options }: { options: ReauthenticationOptions }) {
  const { password, providers, passkeyHosts } = options;
  const hasPasskey = canUsePasskeys() && passkeyHosts.includes(window.location.hostname);
  if (password) return <PasswordWay options={options} hasPasskey={hasPasskey} />;
  return (
    <div className="grid gap-4">
      <p>{hasPasskey ? words.textOnlyPasskey : providers.length === 0 ? words.noWay : words.textProvider}</p>
      {hasPasskey && <PasskeyWay isFirst />}
      {providers.length > 0 && <ProviderWays providers={providers} isFirst={!hasPasskey} />}
      <DialogActions>
        <CancelButton />
      </DialogActions>
    </div>
  );
}

function PasswordWay({
  options: { code: needsCode, providers },
  hasPasskey,
}: {
  options: ReauthenticationOptions;
  hasPasskey: boolean;
}) {
  const { email } = useMe();
  const form = useCommandForm({
    blank: { password: '', code: '' },
    input: ({ password, code }) => (needsCode ? { password, code } : { password }),
    schema: async () => (await import('#shared/features/users/session.ts')).reauthenticateInput,
    send: (input) => api.session.reauthenticate.mutate(input),
    failure: words.failed,
    onSent: () => reauthentication.settle(true),
  });
  return (
    <CommandForm form={form} dirty={false}>
      {/* Tells password managers which account the password belongs to. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <fieldset disabled={form.busy} className="grid min-w-0 gap-4">
        <legend className="mb-4 text-ink-2">{hasPasskey ? words.textPasskey : words.text}</legend>
        {hasPasskey && (
          <div>
            <PasskeyWay />
            <OrDivider />
          </div>
        )}
        <TextField
          label={words.password}
          type="password"
          autoComplete="current-password"
          autoFocus
          {...form.secret('password')}
        />
        {needsCode && (
          <TextField
            label={secondFactorMessages.codeOrRecovery}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            {...form.text('code')}
          />
        )}
      </fieldset>
      {providers.length > 0 && (
        <>
          <OrDivider />
          <ProviderWays providers={providers} />
        </>
      )}
      <FormActions form={form} action={words.confirm} pending={words.confirming} />
    </CommandForm>
  );
}

/** Button to authenticate again with one of the person's passkeys. */
function PasskeyWay({ isFirst = false }: { isFirst?: boolean }) {
  const [busy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    try {
      const { reauthenticateWithPasskey } = await loadCeremony();
      if (await reauthenticateWithPasskey()) reauthentication.settle(true);
    } catch (error) {
      // The code could not be loaded.
      toastFailure(error, words.failed);
    } finally {
      setBusy(false);
    }
  }
  useEffect(() => {
    // Loaded before the tap, because a browser may require that its dialog opens directly after the tap.
    const loading = loadCeremony();
    loading.catch(() => undefined);
    return () => {
      loading.then(({ cancelCeremony }) => cancelCeremony()).catch(() => undefined);
    };
  }, []);
  return (
    <Button
      variant={isFirst ? 'primary' : 'secondary'}
      className="w-full pointer-coarse:min-h-12"
      disabled={busy}
      onClick={() => void confirm()}
    >
      {busy ? words.passkeyWaiting : words.passkey}
    </Button>
  );
}

/** Buttons that open an identity provider in a separate window, so that nothing on this page is lost. */
function ProviderWays({
  providers,
  isFirst = false,
}: {
  providers: readonly SignInProvider[];
  isFirst?: boolean;
}) {
  const [opened, setOpened] = useState<SignInProvider>();
  return (
    <div className="grid gap-3">
      {providers.map((provider) => (
        <a
          key={provider.id}
          href={reauthenticationAddress(provider.id)}
          target="_blank"
          rel="noopener"
          className={cx(
            buttonStyle(isFirst ? 'primary' : 'secondary'),
            'h-auto! min-h-9 w-full whitespace-normal! text-balance py-1.5 [overflow-wrap:anywhere] pointer-coarse:min-h-12',
          )}
          onClick={() => setOpened(provider)}
        >
          {words.through(provider.name)}
        </a>
      ))}
      {opened !== undefined && (
        <div role="status" className="grid gap-3 rounded-control bg-mute p-3">
          <p>{words.elsewhere(opened.name)}</p>
          {/* For browsers in which the other window cannot report to this one. If the person has not authenticated there, the
              server asks again. */}
          <Button onClick={() => reauthentication.settle(true)}>{words.goOn}</Button>
        </div>
      )}
    </div>
  );
}
