import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '#server/boot/router.ts';

/** React hooks for every procedure, for pages without live data; a module of its own, so that only those load it. */
export const trpc = createTRPCReact<AppRouter>();
