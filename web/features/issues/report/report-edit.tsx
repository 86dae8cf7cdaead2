import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { useCorrection } from '../../../offline/use-correction.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { IssueForm } from './report-issue.tsx';
import { stageReportDraft } from './use-report-draft.ts';

type Props = {
  /** Id of the queued command. */
  id: string;
  buildingId: string;
  onDone: () => void;
};

/**
 * A report refused by the server, reopened in its form with everything that was entered, to be corrected and submitted
 * again.
 */
export function ReportEdit({ id, buildingId, onDone }: Props) {
  const [opened, retry] = useCorrection(id, stageReportDraft);
  if (typeof opened === 'object') {
    return <IssueForm buildingId={buildingId} from="issues" onDone={onDone} edits={opened} />;
  }
  if (opened === 'opening') return <Skeleton className="h-80" />;
  if (opened === 'failed') {
    return <ErrorState title={messages.common.error} text={offlineMessages.actionFailed} onRetry={retry} />;
  }
  return (
    <div className="grid gap-1 py-6 text-center">
      <p className="font-medium text-ink">{offlineMessages.editingGone}</p>
      <p className="text-ink-2">{offlineMessages.editingGoneText}</p>
    </div>
  );
}
