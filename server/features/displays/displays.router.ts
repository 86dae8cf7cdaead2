import {
  beatInput,
  claimInput,
  displayInput,
  lookUpInput,
  pairDisplayInput,
  pauseDisplayInput,
  replaceScreenInput,
  requestCodeInput,
  updateDisplayInput,
} from '#shared/features/displays/displays.ts';
import { fromDisplay, open, requires, router } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { storeBeat } from './beat.commands.ts';
import { claimDisplay, lookUpScreen, requestCode } from './codes.commands.ts';
import {
  pairDisplay,
  pauseDisplay,
  reloadDisplay,
  replaceScreen,
  unpairDisplay,
  updateDisplay,
} from './displays.commands.ts';
import { listDisplays, readFleet } from './displays.queries.ts';
import { readWall } from './wall.queries.ts';

export const displaysRouter = router({
  // For screens that are not paired yet.
  requestCode: open.input(requestCodeInput).mutation(({ ctx, input }) => requestCode(ctx, input)),
  claim: open.input(claimInput).mutation(({ ctx, input }) => claimDisplay(ctx, input.claim)),

  wall: fromDisplay.query(({ ctx }) =>
    snapshot({ services: ctx.services }, (tx) => readWall(tx, ctx.display, ctx.services.clock.now())),
  ),
  beat: fromDisplay.input(beatInput).mutation(({ ctx, input }) => storeBeat(ctx, input)),

  list: requires('manage_users').query(({ ctx }) => snapshot(ctx, (tx) => listDisplays(tx))),
  fleet: requires('manage_users').query(({ ctx }) => readFleet(ctx.services.db, ctx.services.clock.now())),
  lookUp: requires('manage_users')
    .input(lookUpInput)
    .mutation(({ ctx, input }) => lookUpScreen(ctx, input.code)),
  pair: requires('manage_users', { sensitive: true })
    .input(pairDisplayInput)
    .mutation(({ ctx, input }) => pairDisplay(ctx, input)),
  update: requires('manage_users', { sensitive: true })
    .input(updateDisplayInput)
    .mutation(({ ctx, input }) => updateDisplay(ctx, input)),
  replace: requires('manage_users', { sensitive: true })
    .input(replaceScreenInput)
    .mutation(({ ctx, input }) => replaceScreen(ctx, input)),
  pause: requires('manage_users')
    .input(pauseDisplayInput)
    .mutation(({ ctx, input }) => pauseDisplay(ctx, input)),
  reload: requires('manage_users')
    .input(displayInput)
    .mutation(({ ctx, input }) => reloadDisplay(ctx, input)),
  unpair: requires('manage_users')
    .input(displayInput)
    .mutation(({ ctx, input }) => unpairDisplay(ctx, input)),
});
