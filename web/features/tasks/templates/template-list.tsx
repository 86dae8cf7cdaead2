import { CircleCheck, MessageCircleQuestion } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { TaskTemplate } from '#shared/features/tasks/task-templates.ts';
import {
  formatApplies,
  formatInterval,
  NATION_LABELS,
  TEMPLATE_CLASS_LABELS,
} from '#shared/features/tasks/task-templates.vocabulary.ts';
import { templateMessages } from '#shared/features/tasks/task-templates-messages.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { Card } from '../../../ui/card.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';

/** Whether a template can be selected: not without a building, not twice for a building, not before its law is in force. */
export type Standing = 'offered' | 'inUse' | 'notInForce' | 'noBuilding';

type ListProps = {
  groups: readonly { subject: string; templates: readonly TaskTemplate[] }[];
  standingOf: (template: TaskTemplate) => Standing;
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], on: boolean) => void;
};

/** The templates of the library, grouped by subject. */
export function TemplateList({ groups, standingOf, chosen, onChoose }: ListProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {groups.map(({ subject, templates }) => (
        <section key={subject} aria-label={subject}>
          <h3 className="mb-2 font-semibold text-ink">{subject}</h3>
          <Card className="divide-y divide-line overflow-hidden">
            {templates.map((template) => (
              <TemplateRow
                key={template.id}
                template={template}
                standing={standingOf(template)}
                chosen={chosen.has(template.id)}
                onChoose={onChoose}
              />
            ))}
          </Card>
        </section>
      ))}
    </div>
  );
}

type RowProps = {
  template: TaskTemplate;
  standing: Standing;
  chosen: boolean;
  onChoose: (ids: readonly string[], on: boolean) => void;
};

const TemplateRow = memo(function TemplateRow({ template, standing, chosen, onChoose }: RowProps) {
  const { id, complianceSystem, taskDescription, isConfirmed, competence, evidence, source, version } =
    template;
  return (
    <div className="grid gap-x-8 gap-y-2.5 px-4 py-3.5 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] xl:grid-cols-[minmax(0,4fr)_minmax(0,9fr)]">
      <label className="flex cursor-pointer items-start gap-3 self-start has-disabled:cursor-default">
        <input
          type="checkbox"
          aria-label={`Choose ${taskName(template)}`}
          checked={chosen}
          disabled={standing !== 'offered'}
          onChange={(event) => onChoose([id], event.target.checked)}
          className="mt-0.5 size-4 shrink-0 scroll-mb-28 accent-brand disabled:opacity-40 pointer-coarse:size-6"
        />
        <span className="min-w-0">
          <span className="block font-semibold text-ink [overflow-wrap:anywhere]">{taskDescription}</span>
          <span className="block text-ink-2">{complianceSystem}</span>
          <span className="mt-1.5 flex flex-wrap gap-1.5">
            {standing === 'inUse' && (
              <Badge tone="ok" icon={<CircleCheck size={12} aria-hidden />}>
                {templateMessages.inUse}
              </Badge>
            )}
            {standing === 'notInForce' && <Badge>{templateMessages.notInForce}</Badge>}
            <Badge tone={template.class === 'law' ? 'info' : 'neutral'}>
              {TEMPLATE_CLASS_LABELS[template.class]}
            </Badge>
            {!isConfirmed && (
              <Badge tone="due" icon={<MessageCircleQuestion size={12} aria-hidden />}>
                {templateMessages.advise}
              </Badge>
            )}
          </span>
        </span>
      </label>
      <dl className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 gap-y-1 self-start text-sm xl:grid-cols-[4rem_minmax(0,1fr)_4rem_minmax(0,1fr)] xl:gap-y-2 max-lg:pl-7 max-lg:pointer-coarse:pl-9">
        <Fact name="Interval">{formatInterval(template)}</Fact>
        <Fact name="Applies">{`${NATION_LABELS[template.nation]} · ${formatApplies(template)}`}</Fact>
        <Fact name="Who">{`${competence} → ${evidence}`}</Fact>
        <Fact name="Source">
          {source} <span className="whitespace-nowrap text-ink-3">· version {version}</span>
        </Fact>
      </dl>
    </div>
  );
});

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="text-ink-2 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
