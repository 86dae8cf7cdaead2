import { formatDateTime, formatTime } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { cx } from '../../../ui/cx.ts';
import type { useCheckDraft } from './use-check-draft.ts';

type Props = {
  draft: Pick<ReturnType<typeof useCheckDraft>, 'state' | 'savedAt'>;
  /** Of when what the form shows of the site is, where that is this phone's copy. */
  keptAt: string | undefined;
};

/** Above the main action: whether what was typed is safe, and how old what is shown is. */
export function SaveState({ draft: { state, savedAt }, keptAt }: Props) {
  const draft =
    state === 'failed'
      ? formMessages.draftFailed
      : (state === 'saved' || state === 'saving') && savedAt !== null
        ? formMessages.draftKept(formatTime(savedAt))
        : undefined;
  // Both where both are so: a form opened by a label has a draft from its first moment.
  const copy = keptAt === undefined ? undefined : formMessages.copyFrom(formatDateTime(keptAt));
  const words = [draft, copy].filter((text) => text !== undefined).join(' · ');
  if (words === '') return null;
  return (
    <p
      role={state === 'failed' ? 'alert' : undefined}
      className={cx('mb-2 text-center text-sm', state === 'failed' ? 'text-bad' : 'text-ink-2')}
    >
      {words}
    </p>
  );
}
