import type {
  Display,
  PairDisplayInput,
  ReplaceScreenInput,
  UpdateDisplayInput,
} from '#shared/features/displays/displays.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { tell } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';

const SENT = { success: displayMessages.commandSent, failure: displayMessages.commandFailed };

/** Commands of the displays page. */
export function useDisplayCommands() {
  const { mutate } = useLiveMutation();
  return {
    pair: (input: Omit<PairDisplayInput, 'operationId'>) =>
      mutate({ input, send: (whole, context) => api.displays.pair.mutate(whole, context) }),
    update: (input: Omit<UpdateDisplayInput, 'operationId'>) =>
      mutate({ input, send: (whole, context) => api.displays.update.mutate(whole, context) }),
    replace: (input: Omit<ReplaceScreenInput, 'operationId'>) =>
      mutate({ input, send: (whole, context) => api.displays.replace.mutate(whole, context) }),
    /** Pauses or resumes the display. Shows a toast with the outcome, like `reload` and `unpair`. */
    pause: ({ id, name, pausedAt }: Display) =>
      tell(
        mutate({
          input: { id, paused: pausedAt === null },
          send: (input, context) => api.displays.pause.mutate(input, context),
        }),
        { about: name, ...SENT },
      ),
    reload: ({ id, name }: Display) =>
      tell(mutate({ input: { id }, send: (input, context) => api.displays.reload.mutate(input, context) }), {
        about: name,
        ...SENT,
      }),
    unpair: ({ id, name }: Display) =>
      tell(mutate({ input: { id }, send: (input, context) => api.displays.unpair.mutate(input, context) }), {
        about: name,
        success: displayMessages.unpaired,
        failure: displayMessages.unpairFailed,
      }),
  };
}
