import type {
  AddDisciplineInput,
  Discipline,
  RenameDisciplineInput,
} from '#shared/features/disciplines/disciplines.ts';
import { disciplineMessages } from '#shared/features/disciplines/disciplines-messages.ts';
import { tell } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';

/** Commands of the Disciplines tab. */
export function useDisciplineCommands() {
  const { mutate } = useLiveMutation();
  return {
    // No overlay, because the id is not known: adding a deleted name restores the old discipline with its id.
    add: (input: Omit<AddDisciplineInput, 'operationId'>) =>
      mutate({
        input,
        send: (whole, context) => api.documents.disciplines.add.mutate(whole, context),
      }),

    rename: (discipline: Discipline, input: Omit<RenameDisciplineInput, 'operationId'>) =>
      mutate({
        input,
        overlay: {
          entity: 'discipline',
          id: discipline.id,
          base: discipline,
          patch: { name: input.name.to },
        },
        send: (whole, context) => api.documents.disciplines.rename.mutate(whole, context),
      }),

    /** Removes the discipline and shows a toast with the outcome. */
    remove: (discipline: Discipline) =>
      tell(
        mutate({
          input: { id: discipline.id },
          overlay: {
            entity: 'discipline',
            id: discipline.id,
            base: discipline,
            patch: { isActive: false },
          },
          send: (input, context) => api.documents.disciplines.remove.mutate(input, context),
        }),
        {
          about: discipline.name,
          success: disciplineMessages.deleted,
          failure: disciplineMessages.deleteFailed,
        },
      ),
  };
}
