import { listPulsesInput, pulseInput } from '#shared/features/pulse/pulse.ts';
import { requires, router } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { getPulse, listPulses, summarisePulses } from './pulse.queries.ts';
import { readUpkeep } from './upkeep.queries.ts';

const view = requires('view_dashboard');

export const pulseRouter = router({
  list: view
    .input(listPulsesInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listPulses(tx, ctx.actor, input))),
  get: view
    .input(pulseInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => getPulse(tx, ctx.actor, input.buildingId))),
  summary: view.query(({ ctx }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => summarisePulses(tx, ctx.actor, now));
  }),
  upkeep: view.query(({ ctx }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => readUpkeep(tx, ctx.actor, now));
  }),
});
