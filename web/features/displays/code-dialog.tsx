import { type ReactNode, useState } from 'react';
import { type FoundScreen, lookUpInput } from '#shared/features/displays/displays.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { deviceName } from '#shared/offline/device-name.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { FormActions } from '../../forms/form-actions.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

/**
 * Dialog that asks for the code of a screen, then shows the screen found, followed by the next step.
 * @param children the next step, once the screen is found
 */
export function CodeDialog({
  title,
  onClose,
  firstCode,
  children,
}: {
  title: string;
  onClose: () => void;
  /** The code in the URL that the screen's QR code opens; empty if the URL has no code. */
  firstCode: string;
  children: (code: string) => ReactNode;
}) {
  const [found, setFound] = useState<{ code: string; screen: FoundScreen }>();
  const form = useCommandForm({
    blank: { code: firstCode },
    schema: lookUpInput,
    send: async ({ code }) => ({ code, screen: await api.displays.lookUp.mutate({ code }) }),
    failure: displayMessages.codeWrong,
    onSent: setFound,
  });
  return (
    <Dialog open onClose={onClose} title={title}>
      {found === undefined ? (
        <CommandForm form={form}>
          <TextField
            label="Code on the screen"
            autoFocus
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="BCDF-GHJK"
            {...form.text('code')}
            maxLength={40}
          />
          <FormActions form={form} action={displayMessages.looked} />
        </CommandForm>
      ) : (
        <div className="grid gap-4">
          <div className="rounded-card border border-line bg-mute p-3">
            <p className="font-medium">{displayMessages.compare}</p>
            <p className="text-ink-2 text-sm">
              {deviceName(found.screen.userAgent)}, {found.screen.width} × {found.screen.height}, at{' '}
              {found.screen.address}, asked for its code <RelativeTime at={found.screen.requestedAt} />
            </p>
          </div>
          {children(found.code)}
        </div>
      )}
    </Dialog>
  );
}
