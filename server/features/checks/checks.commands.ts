import { CHECK_PERMISSIONS } from '#shared/features/checks/definition.ts';
import type { RecordVisitInput, VisitReceipt } from '#shared/features/checks/index.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { recordedName } from '../../kernel/person-names.ts';
import { findCheckedBuilding } from './checked-site.ts';
import { assertEnabled, type EnabledChecks } from './enabled-checks.ts';
import { holdVisit } from './held/held.commands.ts';
import { markImported } from './held/imported.commands.ts';
import { storeVisit } from './store-visit.ts';

/**
 * Records a visit exactly once, however often it is sent. If the person has since lost access to the building, or the
 * permission to record, the visit is held for an administrator. The answer does not reveal whether the building exists.
 */
export function recordVisit(
  ctx: SignedInContext,
  enabled: EnabledChecks,
  input: RecordVisitInput,
): Promise<VisitReceipt> {
  assertEnabled(enabled, input.kind);
  // The device's clock differs between two tries of one operation, so it is not part of the input that is compared.
  const { deviceNow, ageMs, ...kept } = input;
  return runCommand(ctx, 'checks.record', kept, async (command) => {
    const { actor, now } = command;
    if (ctx.imported !== undefined) await markImported(command, ctx.imported, input);
    if (!actor.permissions.includes(CHECK_PERMISSIONS.record)) return holdVisit(command, input);
    const site = await findCheckedBuilding(command, actor, input.buildingId);
    if (site === undefined) return holdVisit(command, input);
    return storeVisit(command, site, input, {
      recordedBy: actor.userId,
      recordedByName: recordedName(actor),
      receivedAt: now,
      direct: ctx.imported === undefined,
    });
  });
}
