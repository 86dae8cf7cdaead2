import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '#server/boot/router.ts';

/**
 * React hooks for every procedure, for pages without live data; in a module of their own so that other pages do not
 * load them.
 */
export const trpc = createTRPCReact<AppRouter>();
