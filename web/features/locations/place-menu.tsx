import { CalendarClock, EllipsisVertical, Pencil, Trash2 } from 'lucide-react';
import { Menu } from '../../ui/dialogs/menu.tsx';

type Props = {
  name: string;
  editLabel: string;
  /** Path of the check schedule, for a building. */
  scheduleAt?: string;
  onEdit: () => void;
  onDelete: () => void;
};

/** Menu with the actions on one client, building or floor. */
export function PlaceMenu({ name, editLabel, scheduleAt, onEdit, onDelete }: Props) {
  return (
    <Menu
      label={`Actions for ${name}`}
      align="end"
      buttonClassName="grid size-9 shrink-0 place-items-center rounded-control text-ink-2 hover:text-ink pointer-coarse:size-12"
      button={<EllipsisVertical size={16} aria-hidden />}
      groups={[
        [
          { key: 'edit', label: editLabel, icon: <Pencil size={16} aria-hidden />, onSelect: onEdit },
          ...(scheduleAt === undefined
            ? []
            : [
                {
                  key: 'schedule',
                  label: 'Check Schedule',
                  icon: <CalendarClock size={16} aria-hidden />,
                  to: scheduleAt,
                },
              ]),
        ],
        [
          {
            key: 'delete',
            label: 'Delete',
            icon: <Trash2 size={16} aria-hidden />,
            tone: 'bad',
            onSelect: onDelete,
          },
        ],
      ]}
    />
  );
}
