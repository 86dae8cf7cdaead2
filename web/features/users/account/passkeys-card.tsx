import { useEffect, useRef, useState } from 'react';
import { formatDate } from '#shared/dates.ts';
import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import type { Passkey } from '#shared/features/users/passkeys.ts';
import { uuidv7 } from '#shared/ids.ts';
import { deviceName } from '#shared/offline/device-name.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { tell } from '../../../forms/toasts.ts';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { RelativeTime } from '../../../ui/feedback/relative-time.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toastPasskeyFailure } from '../../session/passkeys/passkey-failure.ts';
import { canUsePasskeys } from '../../session/passkeys/passkey-support.ts';
import { useMe } from '../../session/session-context.ts';
import { myPasskeys } from '../second-factor.live.ts';

const words = passkeyMessages;
const loadSchemas = () => import('#shared/features/users/passkeys.ts');
const loadCeremony = () => import('../../session/passkeys/passkey-ceremony.ts');
/** Time for which the prepared options for a new passkey are used; the server accepts them two minutes longer. */
const OPTIONS_VALID_MS = 4 * 60_000;

type Open = { action: 'add' } | { action: 'rename' | 'remove'; passkey: Passkey };

/** The person's own passkeys, to add, rename and remove. Renders nothing for people who sign in only at a provider. */
export function PasskeysCard() {
  const { id: userId } = useMe();
  const { data, error, refetch } = useLiveQuery(myPasskeys, { userId });
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  if (data !== undefined && !data.isAllowed && data.passkeys.length === 0) return null;
  return (
    <Card className="p-5">
      <h2 className="mb-2 font-semibold text-md">{words.title}</h2>
      <p className="mb-4 text-ink-2">{words.text}</p>
      {data === undefined ? (
        error ? (
          <ErrorState
            title={words.failed}
            text={messageFor(error, words.failed)}
            error={error}
            onRetry={refetch}
          />
        ) : (
          <Skeleton className="h-16" />
        )
      ) : (
        <>
          {data.passkeys.length > 0 && (
            <ul className="mb-4 grid divide-y divide-line" aria-label={words.title}>
              {data.passkeys.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  isRemovable={!data.isOnlyFactor}
                  onOpen={setOpen}
                />
              ))}
            </ul>
          )}
          {data.isOnlyFactor && <p className="mb-4 text-ink-2">{words.onlyOne}</p>}
          {!data.isAllowed ? (
            <p className="text-ink-2">{words.notAllowed}</p>
          ) : canUsePasskeys() ? (
            <Button
              variant={data.passkeys.length === 0 ? 'primary' : 'secondary'}
              onClick={() => setOpen({ action: 'add' })}
            >
              {words.add}
            </Button>
          ) : (
            <p className="text-ink-2">{words.unsupported}</p>
          )}
        </>
      )}
      {open?.action === 'add' && <AddDialog onClose={close} />}
      {open?.action === 'rename' && <RenameDialog passkey={open.passkey} onClose={close} />}
      {open?.action === 'remove' && <RemoveDialog passkey={open.passkey} onClose={close} />}
    </Card>
  );
}

function PasskeyRow({
  passkey,
  isRemovable,
  onOpen,
}: {
  passkey: Passkey;
  isRemovable: boolean;
  onOpen: (open: Open) => void;
}) {
  const { name, createdAt, lastUsedAt, host } = passkey;
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5">
      <div className="min-w-40 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
        <p className="text-ink-2 text-sm">
          {`${words.created} ${formatDate(createdAt)}, `}
          {lastUsedAt === null ? (
            words.neverUsed
          ) : (
            <>
              {`${words.lastUsed} `}
              <RelativeTime at={lastUsedAt} />
            </>
          )}
          {host !== window.location.hostname && `, ${words.only(host)}`}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          size="sm"
          aria-label={`${words.rename} ${name}`}
          onClick={() => onOpen({ action: 'rename', passkey })}
        >
          {words.rename}
        </Button>
        {isRemovable && (
          <Button
            size="sm"
            aria-label={`${words.remove} ${name}`}
            onClick={() => onOpen({ action: 'remove', passkey })}
          >
            {words.remove}
          </Button>
        )}
      </div>
    </li>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const { mutate } = useLiveMutation();
  const prepared = useRef<{ at: number; options: ReturnType<typeof begin> }>(undefined);
  const begin = () =>
    mutate({ input: {}, send: (input, context) => api.users.beginPasskey.mutate(input, context) });

  function prepare() {
    const options = begin();
    // A rejection is handled when the form is sent, which awaits the options.
    options.catch(() => undefined);
    prepared.current = { at: performance.now(), options };
    return prepared.current;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; a browser wants the tap to be just before its own dialog
  useEffect(() => {
    prepare();
    const loading = loadCeremony();
    loading.catch(() => undefined);
    return () => {
      loading.then(({ cancelCeremony }) => cancelCeremony()).catch(() => undefined);
    };
  }, []);

  const form = useCommandForm({
    blank: { name: deviceName(navigator.userAgent) },
    schema: async () => (await loadSchemas()).addPasskeyInput.pick({ name: true }),
    async send({ name }) {
      const { createPasskey } = await loadCeremony();
      const asked = prepared.current;
      const isGood = asked !== undefined && performance.now() - asked.at < OPTIONS_VALID_MS;
      const { options, challenge } = await (isGood ? asked : prepare()).options;
      const attestation = await createPasskey(options);
      return mutate({
        input: { id: uuidv7(), challenge, attestation, name },
        send: (input, context) => api.users.addPasskey.mutate(input, context),
      });
    },
    about: (_answer, { name }) => name,
    success: words.added,
    failure: (error) => {
      prepared.current = undefined;
      toastPasskeyFailure(error, words.addFailed, words.addCancelled);
    },
    onSent: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={words.addTitle} size="sm">
      <CommandForm form={form} dirty={false}>
        <fieldset disabled={form.busy} className="grid min-w-0 gap-4">
          <legend className="mb-4 text-ink-2">{words.addText}</legend>
          <TextField
            label={words.name}
            hint={words.nameHint}
            autoComplete="off"
            autoFocus
            {...form.text('name')}
          />
        </fieldset>
        <FormActions form={form} action={words.add} pending={words.adding} />
      </CommandForm>
    </Dialog>
  );
}

function RenameDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { mutate } = useLiveMutation();
  const form = useCommandForm({
    blank: { name },
    schema: async () => (await loadSchemas()).renamePasskeyInput.pick({ name: true }),
    send: (typed) =>
      mutate({
        input: { id, ...typed },
        send: (input, context) => api.users.renamePasskey.mutate(input, context),
      }),
    about: (_answer, typed) => typed.name,
    success: words.renamed,
    failure: words.renameFailed,
    onSent: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={words.rename} subtitle={name} size="sm">
      <CommandForm form={form}>
        <fieldset disabled={form.busy} className="min-w-0">
          <legend className="sr-only">{words.rename}</legend>
          <TextField label={words.name} autoComplete="off" autoFocus {...form.text('name')} />
        </fieldset>
        <FormActions form={form} action={words.rename} pending={words.renaming} />
      </CommandForm>
    </Dialog>
  );
}

function RemoveDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { mutate } = useLiveMutation();
  async function remove() {
    const answer = mutate({
      input: { id },
      send: (input, context) => api.users.removePasskey.mutate(input, context),
    });
    const done = await tell(answer, { about: name, success: words.removed, failure: words.removeFailed });
    if (done !== undefined) onClose();
  }
  return (
    <ConfirmDialog title={words.removeQuestion} action={words.remove} onConfirm={remove} onClose={onClose}>
      <p className="text-ink-2 [overflow-wrap:anywhere]">{words.removeText(name)}</p>
    </ConfirmDialog>
  );
}
