import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '#server/boot/router.ts';

/**
 * React hooks for every procedure, for pages without live data. They are in a separate module, so that only those pages
 * load them.
 */
export const trpc = createTRPCReact<AppRouter>();
