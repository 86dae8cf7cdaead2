import { BellOff } from 'lucide-react';
import { useState } from 'react';
import { issueAcknowledgeMessages } from '#shared/features/issues/issue-acknowledge-messages.ts';
import { isDone } from '#shared/features/issues/issue-edit.ts';
import type { Issue } from '#shared/features/issues/issues.ts';
import { tell } from '../../../forms/toasts.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { Button } from '../../../ui/buttons/button.tsx';

/** Button, for managers, that acknowledges a critical issue: wall displays then stop asking. Hidden once acknowledged. */
export function AcknowledgeIssue({ issue }: { issue: Issue }) {
  const canManage = usePermissions().can('manage_building_issues');
  const { mutate } = useLiveMutation();
  const [busy, setBusy] = useState(false);
  const { id, priority, status, acknowledgedAt } = issue;
  if (!canManage || priority !== 'critical' || isDone(status) || acknowledgedAt != null) return null;

  async function acknowledge(): Promise<void> {
    setBusy(true);
    const sent = mutate({
      input: { id },
      send: (input, { signal }) => api.issues.acknowledge.mutate(input, { signal }),
    });
    await tell(sent, { failure: issueAcknowledgeMessages.failed });
    setBusy(false);
  }

  return (
    <Button className="mb-3 w-full print:hidden" disabled={busy} onClick={() => void acknowledge()}>
      <BellOff size={16} aria-hidden />
      Acknowledge
    </Button>
  );
}
