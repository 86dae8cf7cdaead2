import { Button } from '../buttons/button.tsx';

type Props = { theirs: string; onKeep: () => void; onTake: () => void };

/** Shown if another person has saved a different value for a field that is being edited: the person chooses one. */
export function FieldConflict({ theirs, onKeep, onTake }: Props) {
  return (
    <span
      data-contested=""
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-due-soft px-3 py-2 text-due"
    >
      <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
        Someone else has just saved{' '}
        <b className="font-semibold">{theirs === '' ? 'nothing' : `“${theirs}”`}</b>.
      </span>
      <span className="flex gap-2">
        <Button size="sm" onClick={onKeep}>
          Keep mine
        </Button>
        <Button size="sm" onClick={onTake}>
          Take theirs
        </Button>
      </span>
    </span>
  );
}
