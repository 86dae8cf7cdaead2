import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDate } from '#shared/dates.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { tell, toastFailure } from '../../../forms/toasts.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { toastSuccess } from '../../../ui/feedback/toast.ts';
import { REAUTHENTICATION_OPTIONS } from '../../session/reauthentication/reauthentication-options.ts';
import { RecoveryCodes } from '../../session/second-step/recovery-codes.tsx';
import { TotpSetup } from '../../session/second-step/totp-setup.tsx';
import { useMe } from '../../session/session-context.ts';
import { mySecondFactor } from '../second-factor.live.ts';

const words = secondFactorMessages;

/** 2-step verification of the person's own account: its state, and buttons to turn it on and off. */
export function SecondFactorCard() {
  const { id: userId } = useMe();
  const { mutate } = useLiveMutation();
  const { data, error, refetch } = useLiveQuery(mySecondFactor, { userId });
  const { data: ways } = useQuery(REAUTHENTICATION_OPTIONS);
  const [open, setOpen] = useState<'setup' | 'turnOff' | 'newCodes'>();
  const [codes, setCodes] = useState<readonly string[]>();
  const close = () => setOpen(undefined);

  async function turnOff() {
    const answer = mutate({
      input: {},
      send: (input, context) => api.users.removeSecondFactor.mutate(input, context),
    });
    if ((await tell(answer, { success: words.removed, failure: words.removeFailed })) !== undefined) close();
  }

  async function makeCodes() {
    const answer = mutate({
      input: {},
      send: (input, context) => api.users.makeRecoveryCodes.mutate(input, context),
    });
    const made = await tell(answer, { failure: words.codesFailed });
    if (made === undefined) return;
    close();
    show(made.recoveryCodes);
  }

  function show(made: readonly string[] | undefined) {
    if (made === undefined) toastFailure(undefined, words.codesLost);
    else setCodes(made);
    refetch();
  }

  // Only sign-ins with a password ask for a code.
  if (data?.state === null && ways?.hasPassword === false) return null;
  const hasPasskey = data?.passkeyHosts.includes(window.location.hostname) === true;
  const isRequired = data?.isNeeded === true && !hasPasskey;
  return (
    <Card className="p-5">
      <h2 className="mb-2 font-semibold text-md">{words.title}</h2>
      {data === undefined ? (
        error ? (
          <ErrorState
            title={words.stateFailed}
            text={messageFor(error, words.stateFailed)}
            error={error}
            onRetry={refetch}
          />
        ) : (
          <Skeleton className="h-20" />
        )
      ) : data.state === null ? (
        <>
          <p className="mb-4 text-ink-2">{data.isNeeded && hasPasskey ? words.offWithPasskey : words.off}</p>
          <Button variant="primary" onClick={() => setOpen('setup')}>
            {words.turnOn}
          </Button>
        </>
      ) : (
        <>
          <p>{words.on(formatDate(data.state.since))}</p>
          <p className="mb-4 text-ink-2">{words.codesLeft(data.state.recoveryCodesLeft)}</p>
          {isRequired && <p className="mb-4 text-ink-2">{words.required}</p>}
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('newCodes')}>{words.makeCodes}</Button>
            {!isRequired && <Button onClick={() => setOpen('turnOff')}>{words.turnOff}</Button>}
          </div>
        </>
      )}
      {open === 'setup' && data?.state === null && (
        <Dialog open onClose={close} title={words.enrolTitle} size="sm">
          <TotpSetup
            begin={() =>
              mutate({
                input: {},
                send: (input, context) => api.users.beginSecondFactor.mutate(input, context),
              })
            }
            send={(proof) =>
              mutate({
                input: proof,
                send: (input, context) => api.users.addSecondFactor.mutate(input, context),
              })
            }
            onSent={({ recoveryCodes }) => {
              close();
              toastSuccess(words.added);
              show(recoveryCodes);
            }}
            onFailed={(failure) => {
              toastFailure(failure, words.enrolFailed);
              refetch();
            }}
          />
        </Dialog>
      )}
      {open === 'turnOff' && (
        <ConfirmDialog
          title={words.turnOffQuestion}
          action={words.turnOff}
          onConfirm={turnOff}
          onClose={close}
        >
          <p className="text-ink-2">{data?.isNeeded ? words.turnOffTextNeeded : words.turnOffText}</p>
        </ConfirmDialog>
      )}
      {open === 'newCodes' && (
        <ConfirmDialog
          title={`${words.makeCodes}?`}
          action={words.makeCodes}
          variant="primary"
          onConfirm={makeCodes}
          onClose={close}
        >
          <p className="text-ink-2">{words.makeCodesText}</p>
        </ConfirmDialog>
      )}
      {codes !== undefined && (
        <Dialog
          open
          onClose={() => setCodes(undefined)}
          title={words.title}
          size="sm"
          leave={{ question: words.leaveQuestion, stay: words.leaveStay, go: words.leaveGo }}
        >
          <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />
        </Dialog>
      )}
    </Card>
  );
}
