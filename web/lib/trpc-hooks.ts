import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '#server/boot/router.ts';

/** Hooks over every procedure, for pages without live data; the others would carry them for nothing. */
export const trpc = createTRPCReact<AppRouter>();
