import { CHECK_PERMISSIONS } from '#shared/features/checks/define.ts';
import type { RecordVisitInput, VisitReceipt } from '#shared/features/checks/index.ts';
import { fullName } from '#shared/names.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { findCheckedBuilding } from './checked-site.ts';
import { assertEnabled, type EnabledChecks } from './enabled-checks.ts';
import { holdVisit } from './held.commands.ts';
import { noteImported } from './imported.commands.ts';
import { storeVisit } from './store-visit.ts';

/**
 * Records a visit exactly once, however often it is sent. Whoever has lost access to the site since the phone saved it,
 * or the role that records, loses nothing: the record waits for an administrator (and it is not told whether there is
 * such a site).
 */
export function recordVisit(
  ctx: SignedInContext,
  enabled: EnabledChecks,
  input: RecordVisitInput,
): Promise<VisitReceipt> {
  assertEnabled(enabled, input.kind);
  // The device's clock moves between two tries of the same operation, so it is no part of what makes them the same.
  const { deviceNow, ageMs, ...kept } = input;
  return runCommand(ctx, 'checks.record', kept, async (command) => {
    const { actor, now } = command;
    if (ctx.imported !== undefined) await noteImported(command, ctx.imported, input);
    if (!actor.permissions.includes(CHECK_PERMISSIONS.record)) return holdVisit(command, input);
    const site = await findCheckedBuilding(command, actor, input.buildingId);
    if (site === undefined) return holdVisit(command, input);
    return storeVisit(command, site, input, {
      recordedBy: actor.userId,
      recordedByName: fullName(actor),
      receivedAt: now,
    });
  });
}
