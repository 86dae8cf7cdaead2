import { Check, Minus, X } from 'lucide-react';
import { LOG_RESULT_LABELS, type LogResult } from '#shared/features/checks/log.vocabulary.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';

const marks = {
  pass: { tone: 'ok', icon: Check },
  fail: { tone: 'bad', icon: X },
  not_tested: { tone: 'due', icon: Minus },
} as const satisfies Record<LogResult, { tone: Tone; icon: typeof Check }>;

/** Badge with the icon, word and colour of a result. */
export function ResultBadge({ result, children }: { result: LogResult; children?: string | undefined }) {
  const { tone, icon: Icon } = marks[result];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {children ?? LOG_RESULT_LABELS[result]}
    </Badge>
  );
}
