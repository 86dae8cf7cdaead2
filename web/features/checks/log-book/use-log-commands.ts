import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { AmendEntryInput } from '#shared/features/checks/index.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { fieldErrorsOf, isShownAtFields, messageFor } from '../../../lib/message-for.ts';
import { api } from '../../../lib/trpc.ts';
import { useLiveMutation } from '../../../live/use-live-mutation.ts';
import { toast } from '../../../ui/toast.ts';

export type Amendment = DistributiveOmit<AmendEntryInput, 'operationId'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function toastUncertain(): void {
  toast({ title: messages.common.uncertain });
}

/**
 * Commands of the log book: giving a reason for a missed period, and amending. Each resolves with its error messages,
 * or undefined.
 */
export function useLogCommands() {
  const { mutate } = useLiveMutation();

  async function explain(input: {
    buildingId: string;
    kind: CheckKind;
    day: string;
    reason: string;
  }): Promise<string | undefined> {
    try {
      await mutate({
        input: { ...input, id: uuidv7() },
        send: (all, context) => api.checks.explainMissed.mutate(all, context),
        onUncertain: toastUncertain,
      });
      toast({ title: messages.common.success, text: checkMessages.explained });
      return undefined;
    } catch (error) {
      const atField = fieldErrorsOf(error)['reason'];
      if (atField !== undefined) return atField;
      const text = messageFor(error, checkMessages.explainFailed);
      toast({ title: messages.common.error, text, tone: 'destructive' });
      return text;
    }
  }

  /** @returns error messages by field; undefined once the amendment is stored */
  async function amend(input: Amendment): Promise<Record<string, string> | undefined> {
    try {
      await mutate({
        input,
        // The cast: the compiler cannot tell that the object is again a member of the union.
        send: (all, context) => api.checks.amend.mutate(all as AmendEntryInput, context),
        onUncertain: toastUncertain,
      });
      toast({ title: messages.common.success, text: checkMessages.amended });
      return undefined;
    } catch (error) {
      if (isShownAtFields(error)) return fieldErrorsOf(error);
      const text = messageFor(error, checkMessages.amendFailed);
      toast({ title: messages.common.error, text, tone: 'destructive' });
      return {};
    }
  }

  return { explain, amend };
}
