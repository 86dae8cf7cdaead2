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

/** Says what failed. @returns the sentence for the field */
function failed(error: unknown, fallback: string): string {
  const text = messageFor(error, fallback);
  toast({ title: messages.common.error, text, tone: 'destructive' });
  return wireErrorOf(error)?.code === 'duplicate' ? text : fallback;
}

/** The changes of the Disciplines tab. `add` and `rename` answer the sentence that refused them. */
export function useDisciplineCommands() {
  const { mutate } = useLiveMutation();

  async function add(name: string): Promise<string | undefined> {
    try {
      // No overlay: a name that was deleted comes back under its own id.
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

  async function rename(discipline: Discipline, name: string): Promise<string | undefined> {
    try {
      await mutate({
        input: { id: discipline.id, name },
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
