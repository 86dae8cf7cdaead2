import { useSearchParams } from 'react-router-dom';
import { IMPORT_KINDS, IMPORTS, type ImportKind } from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { usePermissions } from '../../lib/can.tsx';
import { useLeaveGuard } from '../../lib/use-leave-guard.ts';
import { LeaveQuestion } from '../../ui/dialogs/leave-question.tsx';
import { SegmentedControl } from '../../ui/fields/segmented-control.tsx';
import { Page } from '../../ui/page.tsx';
import { useMe } from '../session/session-context.ts';
import { ImportFile } from './import-file.tsx';
import { hasUnsavedLinks } from './kept-links.ts';

/** Import page: rows of a CSV file are validated and shown before anything is stored. */
export default function ImportPage() {
  const { can } = usePermissions();
  const [params, setParams] = useSearchParams();
  const kinds = IMPORT_KINDS.filter((kind) => can(IMPORTS[kind].permission));
  const kind = kinds.find((known) => known === params.get('kind')) ?? kinds[0];
  const me = useMe();
  const held = useLeaveGuard(() => hasUnsavedLinks(me.id));
  return (
    <Page subtitle={importMessages.subtitle}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {kinds.length > 1 && kind !== undefined && (
          <div>
            <SegmentedControl<ImportKind>
              label="What to import"
              value={kind}
              options={kinds.map((value) => ({ value, label: IMPORTS[value].label }))}
              onChange={(next) => setParams({ kind: next }, { replace: true })}
            />
          </div>
        )}
        {kind !== undefined && <ImportFile key={kind} kind={kind} />}
      </div>
      {held !== undefined && (
        <LeaveQuestion
          title={importMessages.leaveTitle}
          text={importMessages.leaveText}
          onStay={held.stay}
          onLeave={held.leave}
        />
      )}
    </Page>
  );
}
