import { Archive, CircleCheck, CircleDashed, CircleDot, type LucideIcon } from 'lucide-react';
import { ISSUE_STATUS_LABELS, type IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';

const marks: Record<IssueStatus, { icon: LucideIcon; colour: string; tone: Tone }> = {
  open: { icon: CircleDot, colour: 'text-bad', tone: 'bad' },
  in_progress: { icon: CircleDashed, colour: 'text-info', tone: 'info' },
  resolved: { icon: CircleCheck, colour: 'text-ok', tone: 'ok' },
  closed: { icon: Archive, colour: 'text-ink-2', tone: 'neutral' },
};

/** Icon of a status in its colour. */
export function StatusIcon({ status, size = 16 }: { status: IssueStatus; size?: number }) {
  const { icon: Icon, colour } = marks[status];
  return <Icon size={size} aria-hidden className={colour} />;
}

/** Badge with icon and label, so that a status is not shown by colour alone. */
export function StatusBadge({ status }: { status: IssueStatus }) {
  const { icon: Icon, tone } = marks[status];
  return (
    <Badge tone={tone} icon={<Icon size={12} aria-hidden />}>
      {ISSUE_STATUS_LABELS[status]}
    </Badge>
  );
}
