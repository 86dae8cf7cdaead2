import type { AnyRouter } from '@trpc/server';
import type { z } from 'zod';
import { type AppRouter, appRouter } from '#server/boot/router.ts';

type Kind = 'query' | 'mutation' | 'subscription';
type KindsIn<Routes, Before extends string = ''> = {
  [Name in keyof Routes & string]: Routes[Name] extends { _def: { type: infer Of extends Kind } }
    ? { path: `${Before}${Name}`; kind: Of }
    : KindsIn<Routes[Name], `${Before}${Name}.`>;
}[keyof Routes & string];
type Each = KindsIn<AppRouter['_def']['record']>;

/** The kind of every procedure (query, mutation or subscription) by path, from the routers' types. */
export type Procedures = { [One in Each as One['path']]: One['kind'] };
export type ProcedurePath = keyof Procedures;
/** Every procedure that changes something. */
export type CommandPath = {
  [Path in ProcedurePath]: Procedures[Path] extends 'mutation' ? Path : never;
}[ProcedurePath];

type Meta = { guard?: unknown; provenByCommand?: unknown; sensitive?: unknown };
type Procedure = { _def: { type: Kind; inputs: z.ZodType[]; meta?: Meta } };

// Typed as AnyRouter, because the router's own type has only the nested routers and not the flat record of paths.
const router: AnyRouter = appRouter;
const { procedures }: { procedures: Readonly<Record<string, Procedure>> } = router._def;

/** Every procedure of the router, with its path. */
export const PROCEDURES = Object.entries(procedures).map(([path, { _def }]) => ({ path, ..._def }));
