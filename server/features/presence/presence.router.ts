import { tellPresenceInput } from '#shared/features/presence/presence.ts';
import { router, signedIn } from '../../kernel/trpc.ts';
import { tellPresence } from './tell-presence.ts';

export const presenceRouter = router({
  /** Stores nothing, so it needs no operation id. */
  tell: signedIn.input(tellPresenceInput).mutation(async ({ ctx, input }) => {
    await tellPresence(ctx, input);
    return {};
  }),
});
