import type { ReactNode } from 'react';
import type { Issue } from '#shared/features/issues/issues.ts';
import {
  ISSUE_STATUS_LABELS,
  ISSUE_STATUSES,
  type IssueStatus,
} from '#shared/features/issues/issues.vocabulary.ts';
import { Menu } from '../../ui/dialogs/menu.tsx';
import { StatusIcon } from './status-mark.tsx';

type Props = { issue: Issue; onMove: (issue: Issue, to: IssueStatus) => void; icon: ReactNode };

/** Menu that moves a card to another status. */
export function MoveMenu({ issue, onMove, icon }: Props) {
  return (
    <Menu
      label={`Move ${issue.referenceNumber} to…`}
      button={icon}
      buttonClassName="grid size-7 place-items-center rounded-control bg-surface text-ink-2 hover:bg-mute hover:text-ink pointer-coarse:size-12"
      groups={[
        ISSUE_STATUSES.map((status) => ({
          key: status,
          label: ISSUE_STATUS_LABELS[status],
          icon: <StatusIcon status={status} />,
          checked: status === issue.status,
          onSelect: () => onMove(issue, status),
        })),
      ]}
    />
  );
}
