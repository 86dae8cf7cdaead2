import { formatDateTime, formatTime } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { cx } from '../../../ui/cx.ts';
import type { useCheckDraft } from './use-check-draft.ts';

type Props = {
  draft: Pick<ReturnType<typeof useCheckDraft>, 'state' | 'savedAt'>;
  /** When the displayed copy of the site was stored, ISO; undefined for the server's answer. */
  keptAt: string | undefined;
};

/** Line above the main action: whether the draft is saved, and the age of the displayed copy. */
export function SaveState({ draft: { state, savedAt }, keptAt }: Props) {
  const draft =
    state === 'failed'
      ? formMessages.draftFailed
      : (state === 'saved' || state === 'saving') && savedAt !== null
        ? formMessages.draftKept(formatTime(savedAt))
        : undefined;
  // Both can apply: a form opened by scanning has a draft at once.
  const copy = keptAt === undefined ? undefined : offlineMessages.copyFrom(formatDateTime(keptAt));
  const text = [draft, copy].filter((text) => text !== undefined).join(' · ');
  if (text === '') return null;
  return (
    <p
      role={state === 'failed' ? 'alert' : undefined}
      className={cx('mb-2 text-center text-sm', state === 'failed' ? 'text-bad' : 'text-ink-2')}
    >
      {text}
    </p>
  );
}
