import { z } from 'zod';

/** All buildings, including those added later, or the chosen ones. */
export type BuildingsChoice = { allBuildings: boolean; buildingIds: readonly string[] };

export const BUILDINGS_REQUIRED = 'Choose at least one building, or all of them';

export const hasBuildings = ({ allBuildings, buildingIds }: BuildingsChoice): boolean =>
  allBuildings || buildingIds.length > 0;

/** The fields of a schema. `max` is the most buildings that may be chosen. */
export function buildingsChoiceFields(max: number) {
  return { allBuildings: z.boolean(), buildingIds: z.array(z.uuid()).max(max) };
}

/** For `superRefine`: refuses a choice of no building, at its field. */
export function requireBuildings(choice: BuildingsChoice, ctx: z.RefinementCtx): void {
  if (!hasBuildings(choice)) refuse(ctx, BUILDINGS_REQUIRED);
}

/**
 * For `superRefine`: refuses a choice of no building, and people for some buildings only, because people belong to the
 * whole organisation.
 * @param peopleNeedAll the sentence for the second refusal
 */
export function requireReach(peopleNeedAll: string) {
  return (input: BuildingsChoice & { permissions: readonly string[] }, ctx: z.RefinementCtx): void => {
    requireBuildings(input, ctx);
    if (!input.allBuildings && input.permissions.includes('view_users')) refuse(ctx, peopleNeedAll);
  };
}

function refuse(ctx: z.RefinementCtx, message: string): void {
  ctx.addIssue({ code: 'custom', message, path: ['buildingIds'] });
}
