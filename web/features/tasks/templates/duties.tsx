import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { formatDuty, formatReason } from '#shared/features/tasks/missing-duties.ts';
import { type TaskTemplate, templateOf } from '#shared/features/tasks/task-templates.ts';
import { templateMessages } from '#shared/features/tasks/task-templates-messages.ts';
import type { OfferedDuty, TemplateOffer } from '#shared/features/tasks/tasks.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';

const CoverDutyDialog = lazy(() => import('./cover-duty-dialog.tsx'));

type Props = {
  buildingId: string;
  offer: TemplateOffer;
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], on: boolean) => void;
};

/**
 * The duties of a building that have no task: the duties that follow from its asset register and, separately, the duties
 * that a person has to confirm. None is selected at first.
 */
export function Duties({ buildingId, offer: { missing, toConfirm, assets }, chosen, onChoose }: Props) {
  const mayCover = usePermissions().can('edit_tasks');
  const [covering, setCovering] = useState<TaskTemplate>();
  const onCover = mayCover ? setCovering : undefined;
  const isEmpty = assets === 0 && missing.length === 0;
  const ids = missing.map(({ templateId }) => templateId);
  const unchosen = ids.filter((id) => !chosen.has(id));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
      <DutyPanel
        title={templateMessages.missing}
        icon={
          missing.length > 0 ? (
            <CircleAlert size={18} className="text-bad" aria-hidden />
          ) : isEmpty ? (
            <CircleHelp size={18} className="text-ink-2" aria-hidden />
          ) : (
            <CircleCheck size={18} className="text-ok" aria-hidden />
          )
        }
        text={
          missing.length > 0
            ? templateMessages.missingText
            : isEmpty
              ? templateMessages.nothingRegistered
              : templateMessages.nothingMissing
        }
        duties={missing}
        chosen={chosen}
        onChoose={onChoose}
        onCover={onCover}
        action={
          missing.length > 0 && (
            <Button size="sm" disabled={unchosen.length === 0} onClick={() => onChoose(unchosen, true)}>
              {templateMessages.selectMissing(missing.length)}
            </Button>
          )
        }
      />
      {toConfirm.length > 0 && (
        <DutyPanel
          title={templateMessages.toConfirm}
          icon={<CircleHelp size={18} className="text-ink-2" aria-hidden />}
          text={templateMessages.toConfirmText}
          duties={toConfirm}
          chosen={chosen}
          onChoose={onChoose}
          onCover={onCover}
        />
      )}
      <Suspense fallback={null}>
        {covering !== undefined && (
          <CoverDutyDialog
            buildingId={buildingId}
            template={covering}
            onClose={() => setCovering(undefined)}
          />
        )}
      </Suspense>
    </div>
  );
}

type PanelProps = Pick<Props, 'chosen' | 'onChoose'> & {
  /** Undefined for people who may not change tasks. */
  onCover: ((template: TaskTemplate) => void) | undefined;
  title: string;
  icon: ReactNode;
  text: string;
  duties: readonly OfferedDuty[];
  action?: ReactNode;
};

function DutyPanel({ title, icon, text, duties, chosen, onChoose, onCover, action }: PanelProps) {
  return (
    <section aria-label={title}>
      <Card className="overflow-hidden">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-3 pb-2.5">
          <h2 className="flex items-center gap-2 font-semibold text-ink text-md">
            {icon}
            {title}
            {duties.length > 0 && <span className="text-ink-2 tabular-nums">{duties.length}</span>}
          </h2>
          {action !== undefined && <div className="ml-auto max-sm:w-full max-sm:*:w-full">{action}</div>}
          <p className="w-full text-pretty text-ink-2">{text}</p>
        </div>
        {duties.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
          <ul aria-label={title} tabIndex={0} className="overflow-y-auto sm:max-h-80 border-line border-t">
            {duties.map((duty) => (
              <DutyLine
                key={duty.templateId}
                duty={duty}
                chosen={chosen.has(duty.templateId)}
                onChoose={onChoose}
                onCover={onCover}
              />
            ))}
          </ul>
        )}
      </Card>
    </section>
  );
}

type LineProps = Pick<PanelProps, 'onChoose' | 'onCover'> & { duty: OfferedDuty; chosen: boolean };

function DutyLine({ duty, chosen, onChoose, onCover }: LineProps) {
  const template = templateOf(duty.templateId);
  // The page is of an earlier version than the server and does not have the template.
  if (template === undefined) return null;
  const known = { template, assets: duty.assets };
  return (
    <li className="flex flex-wrap items-start gap-x-2 border-line not-first:border-t hover:bg-mute">
      <label className="flex min-w-48 flex-1 cursor-pointer items-start gap-3 py-2 pl-4 pointer-coarse:py-3">
        <input
          type="checkbox"
          checked={chosen}
          onChange={(event) => onChoose([duty.templateId], event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-brand pointer-coarse:size-6"
        />
        {template.dependsOn === null ? (
          <span className="min-w-0 text-ink [overflow-wrap:anywhere]">{formatDuty(known)}</span>
        ) : (
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <span className="block text-ink">{taskName(template)}</span>
            <span className="block text-ink-2 text-sm">{templateMessages.onlyIf(formatReason(known))}</span>
          </span>
        )}
      </label>
      {onCover !== undefined && (
        <Button
          size="sm"
          variant="quiet"
          className="my-1 mr-2 ml-auto"
          aria-label={`${templateMessages.covered} ${taskName(template)}`}
          onClick={() => onCover(template)}
        >
          {templateMessages.covered}
        </Button>
      )}
    </li>
  );
}
