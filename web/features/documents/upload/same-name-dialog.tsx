import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import type { SameName } from './upload-types.ts';

const CHOICES = [
  ['version', uploadMessages.asVersion, uploadMessages.asVersionHint],
  ['keep_both', uploadMessages.keepBoth, uploadMessages.keepBothHint],
  ['skip', uploadMessages.skip, uploadMessages.skipHint],
] as const;
const MOST_NAMES = 8;

type Props = { names: readonly string[]; onAnswer: (answer: SameName) => void };

/** Asks once for each batch what to do with files whose names already exist. Closing the dialog means Skip. */
export function SameNameDialog({ names, onAnswer }: Props) {
  return (
    <Dialog
      open
      size="sm"
      title={uploadMessages.sameName(names.length)}
      subtitle={uploadMessages.sameNameText(names.length)}
      onClose={() => onAnswer('skip')}
    >
      <ul className="mb-4 grid gap-1 rounded-control bg-mute px-3 py-2 text-ink-2">
        {names.slice(0, MOST_NAMES).map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two folders may hold files of one name
          <li key={index} className="[overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </li>
        ))}
        {names.length > MOST_NAMES && <li>{uploadMessages.more(names.length - MOST_NAMES)}</li>}
      </ul>
      <div className="grid gap-2">
        {CHOICES.map(([answer, label, hint]) => (
          <Button
            key={answer}
            variant={answer === 'version' ? 'primary' : 'secondary'}
            className="h-auto! justify-start whitespace-normal! py-2 text-left"
            onClick={() => onAnswer(answer)}
          >
            <span className="grid">
              <span>{label}</span>
              <span className="font-normal text-sm opacity-85">{hint}</span>
            </span>
          </Button>
        ))}
      </div>
    </Dialog>
  );
}
