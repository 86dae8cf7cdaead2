import {
  addDisciplineInput,
  removeDisciplineInput,
  renameDisciplineInput,
} from '#shared/features/disciplines/disciplines.ts';
import { requires, router } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { addDiscipline, removeDiscipline, renameDiscipline } from './disciplines.commands.ts';
import { listDisciplines } from './disciplines.queries.ts';

export const disciplinesRouter = router({
  list: requires('view_logbook').query(({ ctx }) => snapshot(ctx, (tx) => listDisciplines(tx))),
  add: requires('manage_building_documents')
    .input(addDisciplineInput)
    .mutation(({ ctx, input }) => addDiscipline(ctx, input)),
  rename: requires('manage_building_documents')
    .input(renameDisciplineInput)
    .mutation(({ ctx, input }) => renameDiscipline(ctx, input)),
  remove: requires('manage_building_documents')
    .input(removeDisciplineInput)
    .mutation(({ ctx, input }) => removeDiscipline(ctx, input)),
});
