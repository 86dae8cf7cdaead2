import type { Discipline } from '#shared/features/disciplines.ts';
import { disciplineMessages } from '#shared/features/disciplines-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { api } from '../../lib/trpc.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { toast } from '../../ui/toast.ts';

function said(text: string): void {
  toast({ title: messages.common.success, text });
}

/** Refusal of a name: the message for the field, and the discipline's current name if another person has renamed it. */
export type Refused = { text: string; nameNow?: string };

/** Shows a toast with the failure and returns the refusal for the field. */
function failed(error: unknown, fallback: string): Refused {
  const text = messageFor(error, fallback);
  toast({ title: messages.common.error, text, tone: 'destructive' });
  const wire = wireErrorOf(error);
  const nameNow = wire?.code === 'conflict' ? wire.fields?.['name'] : undefined;
  if (typeof nameNow === 'string') return { text: disciplineMessages.renamedMeanwhile(nameNow), nameNow };
  return { text: wire?.code === 'duplicate' ? text : fallback };
}

/** Commands of the Disciplines tab. `add` and `rename` resolve with the refusal, or undefined. */
export function useDisciplineCommands() {
  const { mutate } = useLiveMutation();

  async function add(name: string): Promise<Refused | undefined> {
    try {
      // No overlay: adding a deleted name restores the discipline under its own id.
      await mutate({
        input: { id: uuidv7(), name },
        send: (input, context) => api.documents.disciplines.add.mutate(input, context),
      });
      said(disciplineMessages.added);
      return undefined;
    } catch (error) {
      return failed(error, disciplineMessages.addFailed);
    }
  }

  /** @param discipline as the person saw it */
  async function rename(discipline: Discipline, name: string): Promise<Refused | undefined> {
    try {
      await mutate({
        input: { id: discipline.id, name: { from: discipline.name, to: name } },
        overlay: { entity: 'discipline', id: discipline.id, base: discipline, patch: { name } },
        send: (input, context) => api.documents.disciplines.rename.mutate(input, context),
      });
      said(disciplineMessages.updated);
      return undefined;
    } catch (error) {
      return failed(error, disciplineMessages.updateFailed);
    }
  }

  async function remove(discipline: Discipline): Promise<void> {
    try {
      await mutate({
        input: { id: discipline.id },
        overlay: { entity: 'discipline', id: discipline.id, base: discipline, patch: { isActive: false } },
        send: (input, context) => api.documents.disciplines.remove.mutate(input, context),
      });
      said(disciplineMessages.deleted);
    } catch (error) {
      failed(error, disciplineMessages.deleteFailed);
    }
  }

  return { add, rename, remove };
}
