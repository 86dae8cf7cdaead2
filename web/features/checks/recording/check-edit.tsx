import type { ComponentProps } from 'react';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { useCorrection } from '../../../offline/use-correction.ts';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { CheckForm } from './check-form.tsx';
import { FormFrame } from './form-frame.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { stageCheckDraft } from './reopen-check.ts';

type Props = ComponentProps<typeof CheckForm> & { id: string };

/**
 * A check refused by the server, reopened in its form with everything that was entered, to be corrected and submitted
 * again.
 */
export function CheckEdit({ id, ...form }: Props) {
  const { title, subtitle } = form;
  const [opened, retry] = useCorrection(id, stageCheckDraft);
  if (typeof opened === 'object') return <CheckForm {...form} edits={opened} />;
  return (
    <FormFrame title={title} subtitle={subtitle} foot={null}>
      {opened === 'opening' ? (
        <FormSkeleton />
      ) : opened === 'failed' ? (
        <ErrorState title={messages.common.error} text={offlineMessages.actionFailed} onRetry={retry} />
      ) : (
        <EmptyState
          title={offlineMessages.editingGone}
          text={offlineMessages.editingGoneText}
          action={<ButtonLink to="/sync">{formMessages.waitingHere}</ButtonLink>}
        />
      )}
    </FormFrame>
  );
}
