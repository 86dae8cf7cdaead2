import {
  Archive,
  ArchiveRestore,
  CalendarClock,
  Camera,
  Check,
  ClipboardCheck,
  Ellipsis,
  History,
  Pencil,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import { statusOn } from '#shared/features/tasks/task-schedule.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { cx } from '../../../ui/cx.ts';
import { Menu } from '../../../ui/dialogs/menu.tsx';
import type { MenuItem } from '../../../ui/dialogs/menu-props.ts';
import { FileButton } from '../../photos/photo-inputs.tsx';
import { completeToday } from '../completion/pick-day.ts';
import type { TaskRowProps } from '../task-actions.ts';
import { editTaskPath, recordCheckPath } from '../task-paths.ts';

type Props = Pick<TaskRowProps, 'task' | 'today' | 'canEdit' | 'canRecord' | 'hrefOf' | 'actions'> & {
  /** For a row of a table, which has separate buttons for actions that a card has in its menu. */
  tight?: boolean;
};

/** The actions on a task: the buttons of the specification, and the others in a menu. */
export function RowActions(props: Props) {
  const { task, today, canEdit, canRecord, actions, tight = false } = props;
  const { check, retiredAt } = task;
  if (retiredAt !== null) {
    return (
      <>
        {canEdit && (
          <Button
            size="sm"
            onClick={() => void actions.restore(task)}
            aria-label={`Restore ${task.taskNumber}`}
          >
            <ArchiveRestore size={14} aria-hidden />
            Restore
          </Button>
        )}
        <RowMenu {...props} />
      </>
    );
  }
  return (
    <>
      {check !== null && canRecord && (
        <ButtonLink size="sm" to={recordCheckPath(check, task.buildingId)}>
          <ClipboardCheck size={14} aria-hidden className={cx(!tight && 'max-lg:hidden')} />
          Record check
        </ButtonLink>
      )}
      {canEdit && check === null && statusOn(task, today) === 'non-compliant' && (
        <Button
          size="sm"
          variant="primary"
          aria-label={`Complete ${task.taskNumber}`}
          onClick={() => completeToday(actions, task, today)}
        >
          {!tight && <Check size={16} aria-hidden className="max-lg:hidden" />}
          Complete
        </Button>
      )}
      {!tight && canEdit && check === null && statusOn(task, today) === 'non-compliant' && (
        <FileButton
          camera
          label={taskMessages.withPhoto(task.taskNumber)}
          className="w-12 px-0! pointer-fine:hidden max-[23.5rem]:hidden"
          onFiles={(files) => actions.open({ what: 'complete', task, files })}
        >
          <Camera size={20} aria-hidden />
        </FileButton>
      )}
      {canEdit && tight && (
        <ButtonLink
          size="sm"
          to={editTaskPath(task.id)}
          aria-label={`Edit ${task.taskNumber}`}
          title="Edit"
          className="w-[30px] px-0"
        >
          <Pencil size={14} aria-hidden />
        </ButtonLink>
      )}
      <RowMenu {...props} />
    </>
  );
}

function RowMenu({ task, today, canEdit, hrefOf, actions, tight = false }: Props) {
  const { completionId, markId, markedOn } = task;
  // While a change is unconfirmed, the ids of its lines are unknown.
  const settled = Number.isInteger(task.version);
  const mayChange = canEdit && task.retiredAt === null;
  const byPeople = mayChange && task.check === null;
  const items: (MenuItem | false)[] = [
    {
      key: 'record',
      label: 'Record and history',
      icon: <History size={16} aria-hidden />,
      to: hrefOf(task.id),
    },
    // A row of a table has Schedule and Edit beside the menu.
    byPeople &&
      !tight && {
        key: 'schedule',
        label: 'Schedule…',
        icon: <CalendarClock size={16} aria-hidden />,
        to: hrefOf(task.id),
      },
    mayChange &&
      !tight && {
        key: 'edit',
        label: 'Edit',
        icon: <Pencil size={16} aria-hidden />,
        to: editTaskPath(task.id),
      },
  ];
  const changes: (MenuItem | false)[] = [
    byPeople && {
      key: 'complete',
      label: statusOn(task, today) === 'compliant' ? 'Completed early…' : 'Complete with notes or photos…',
      icon: <Check size={16} aria-hidden />,
      onSelect: () => actions.open({ what: 'complete', task }),
    },
    byPeople && {
      key: 'mark',
      label: 'Mark non-compliant…',
      icon: <TriangleAlert size={16} aria-hidden />,
      onSelect: () => actions.open({ what: 'mark', task }),
    },
    byPeople &&
      markId !== null && {
        key: 'unmark',
        label: 'Undo the mark…',
        icon: <Undo2 size={16} aria-hidden />,
        disabled: !settled,
        onSelect: () => actions.open({ what: 'undo', task, lineId: markId, of: 'mark' }),
      },
    byPeople &&
      markedOn === null &&
      completionId !== null && {
        key: 'undo',
        label: 'Undo the completion…',
        icon: <Undo2 size={16} aria-hidden />,
        disabled: !settled,
        onSelect: () => actions.open({ what: 'undo', task, lineId: completionId, of: 'completion' }),
      },
    mayChange && {
      key: 'retire',
      label: 'Retire…',
      icon: <Archive size={16} aria-hidden />,
      onSelect: () => actions.open({ what: 'retire', task }),
    },
  ];
  const shown = (group: (MenuItem | false)[]) => group.filter((item) => item !== false);
  return (
    <Menu
      label={`Actions for ${task.taskNumber}`}
      align="end"
      buttonClassName="grid size-[30px] shrink-0 place-items-center rounded-control text-ink-2 hover:bg-mute hover:text-ink pointer-coarse:size-12"
      button={<Ellipsis size={18} aria-hidden />}
      groups={[shown(items), shown(changes)].filter((group) => group.length > 0)}
    />
  );
}
