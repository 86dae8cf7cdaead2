import { useCallback } from 'react';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import type { OfflineCommand, OfflineInput } from '#shared/offline.ts';
import { useLiveMutation } from '../live/hooks/use-live-mutation.ts';
import type { LiveWrite } from '../live/types.ts';
import { useLoadOffline, useOfflineIfUsed } from '../offline/offline-context.tsx';
import { NotKeptError } from '../offline/queue/not-kept-error.ts';
import type { SendQueue } from '../offline/queue/send-queue.ts';
import type { CommandOf } from '../offline/queue/use-send-queue.ts';
import type { QueuedCommand } from '../offline/types.ts';
import { toast } from '../ui/feedback/toast.ts';

export type SentOrKept<C extends OfflineCommand, Answer extends { version: number }> = Pick<
  LiveWrite<OfflineInput<C>, Answer>,
  'send' | 'overlay'
> & {
  /** The command as this device stores it. */
  command: CommandOf<C>;
  /** The text of the toast if the command is stored on this device. */
  keptText: string;
  /** Whether one of the person's waiting commands on this device is about the same subject. */
  isBehind?: (waiting: readonly QueuedCommand[]) => boolean;
};

/**
 * Sends a command that may be used without a connection; all such commands go through this hook. The command is sent at
 * once, and is stored on this device if no answer arrives within two seconds. It is stored first if it has photos,
 * corrects a refused command, or must wait for a command about the same subject. A toast reports that the command is
 * stored. Its draft is removed in both cases.
 */
export function useSendOrKeep() {
  const { mutateOrKeep } = useLiveMutation();
  const loadOffline = useLoadOffline();
  const used = useOfflineIfUsed();

  /**
   * @returns the server's answer, or `kept`
   * @throws the server's refusal, or a NotKeptError
   */
  return useCallback(
    async <C extends OfflineCommand, Answer extends { version: number }>({
      command,
      keptText,
      send,
      overlay,
      isBehind = () => false,
    }: SentOrKept<C, Answer>): Promise<Answer | 'kept'> => {
      const { attachments = [], replaces, draftKey } = command;
      async function keep(operationId?: string): Promise<'kept'> {
        let until: Promise<void>;
        try {
          const { sendQueue, enqueue } = await loadOffline();
          const { id } = await enqueue(operationId === undefined ? command : { ...command, id: operationId });
          until = answerOf(sendQueue, id);
        } catch (error) {
          throw new NotKeptError(error);
        }
        // Not a success toast: the answer, which may be a refusal, replaces this toast.
        if (attachments.length > 0 && navigator.onLine)
          toast({ title: offlineMessages.sendingWith(attachments.length), tone: 'info', until });
        else toast({ title: offlineMessages.states.saved, text: keptText });
        return 'kept';
      }
      const mustWait = () => isBehind(used?.sendQueue.items() ?? []);
      if (attachments.length > 0 || replaces !== undefined || mustWait()) return keep();
      // The id comes from the draft: if a draft is submitted from two tabs, it is still one command.
      const operationId =
        command.id ?? (draftKey === undefined ? undefined : used?.drafts.commandIdOf(draftKey));
      const outcome = await mutateOrKeep<OfflineInput<C>, Answer>(
        { input: command.input, overlay, send, operationId },
        { keep: async (operationId) => void (await keep(operationId)), mustWait },
      );
      // A save does not fail if its draft cannot be removed now.
      if (outcome !== 'kept' && draftKey !== undefined)
        await used?.drafts.clear(draftKey).catch(() => undefined);
      return outcome;
    },
    [mutateOrKeep, loadOffline, used],
  );
}

/** Resolves when the server has answered a queued command, or the person has discarded it. */
function answerOf({ items, subscribe }: Pick<SendQueue, 'items' | 'subscribe'>, id: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribe(look);
    look();
    function look() {
      const state = items().find((item) => item.id === id)?.state;
      if (state === 'saved' || state === 'sending') return;
      stop();
      resolve();
    }
  });
}
