import { Suspense, useEffect } from 'react';
import { messages } from '#shared/messages.ts';
import { onFirstInteraction } from '../../lib/first-interaction.ts';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { preloadDialog } from '../../ui/dialogs/dialog.tsx';
import { PartBoundary } from '../../ui/feedback/part-boundary.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import type { IssuesState } from './issues-url.ts';

const IssueDetails = lazyScreen(() => import('./details/issue-details.tsx'));
const ReportDialog = lazyScreen(() => import('./report/report-dialog.tsx'));
const ShortcutsDialog = lazyScreen(() => import('./shortcuts-dialog.tsx'));

type Props = {
  state: IssuesState;
  startsInForm: boolean;
  canReport: boolean;
  onChoose: (buildingId: string) => void;
  onClose: () => void;
  shortcuts: { listed: boolean; close: () => void };
};

/** Dialogs over the issues page. Their code is loaded at the first interaction, before it is needed. */
export function IssueDialogs({ state, startsInForm, canReport, onChoose, onClose, shortcuts }: Props) {
  useEffect(
    () =>
      onFirstInteraction(() => {
        preloadDialog();
        IssueDetails.preload();
      }),
    [],
  );
  function onFailed() {
    toast({
      title: messages.common.error,
      text: messages.common.notReached,
      tone: 'destructive',
      // Browsers cache a failed import for the life of the page, so only a reload helps.
      action: { label: 'Reload', onSelect: () => window.location.reload() },
    });
    shortcuts.close();
    onClose();
  }
  return (
    <PartBoundary key={`${state.issue} ${state.report !== null} ${shortcuts.listed}`} onFailed={onFailed}>
      <Suspense fallback={null}>
        {state.issue !== null && (
          <IssueDetails key={state.issue} id={state.issue} startsInForm={startsInForm} onClose={onClose} />
        )}
        {state.issue === null && state.report !== null && canReport && (
          <ReportDialog
            buildingId={state.report === 'choose' ? undefined : state.report}
            onChoose={onChoose}
            onClose={onClose}
          />
        )}
        {shortcuts.listed && <ShortcutsDialog onClose={shortcuts.close} />}
      </Suspense>
    </PartBoundary>
  );
}
