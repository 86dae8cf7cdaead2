import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { backupMessages } from '#shared/features/backups/backup-messages.ts';
import type { BackupRun, BackupStatus } from '#shared/features/backups/backups.ts';
import { messages } from '#shared/messages.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { plural } from '#shared/text/plural.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { BackupRuns } from './backup-runs.tsx';
import { useBackups } from './use-backups.ts';

/** How backups are made, whether they can be restored, and the last runs. */
export function BackupsCard() {
  const { data, error, refetch } = useBackups();
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="h-60 rounded-card" />
    ) : (
      <ErrorState
        title={backupMessages.fetchFailed}
        text={messageFor(error, messages.common.notReached)}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="font-semibold text-md">{backupMessages.title}</h2>
      <State status={data} />
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[auto_1fr]">
        <Row name={backupMessages.lastMade}>
          <Run run={data.made} />
        </Row>
        <Row name={backupMessages.lastVerified}>
          <Run run={data.verified} />
        </Row>
        {data.settings !== null && <Settings {...data.settings} />}
      </dl>
      <BackupRuns runs={data.runs} />
    </Card>
  );
}

function State({ status: { settings, problems, made } }: { status: BackupStatus }) {
  if (settings === null) {
    return (
      <Notice isBad title={backupMessages.notMade}>
        {backupMessages.notMadeText}
      </Notice>
    );
  }
  if (problems.length > 0) {
    return problems.map((problem) => <Notice key={problem} isBad title={problem} />);
  }
  return <Notice title={made === null ? backupMessages.waiting : backupMessages.well} />;
}

function Notice({
  title,
  isBad = false,
  children,
}: {
  title: string;
  isBad?: boolean;
  children?: ReactNode;
}) {
  const Icon = isBad ? TriangleAlert : CircleCheck;
  return (
    <div
      role="status"
      className={cx(
        'flex items-start gap-2.5 rounded-control px-3.5 py-2.5',
        isBad ? 'bg-due-soft text-due' : 'bg-ok-soft text-ok',
      )}
    >
      <Icon size={18} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">{title}</p>
        {children !== undefined && <p className="mt-1 text-ink-2">{children}</p>}
      </div>
    </div>
  );
}

function Settings({ to, at, encryptedTo, publicKey }: NonNullable<BackupStatus['settings']>) {
  return (
    <>
      <Row name={backupMessages.to}>{to}</Row>
      <Row name={backupMessages.at}>{at}</Row>
      <Row name={backupMessages.encryption}>
        {encryptedTo === null ? backupMessages.notEncrypted : <Key text={encryptedTo} />}
      </Row>
      <Row name={backupMessages.publicKey}>
        <Key text={publicKey} />
        <p className="mt-0.5 text-ink-2 text-sm">{backupMessages.publicKeyText}</p>
      </Row>
    </>
  );
}

function Key({ text }: { text: string }) {
  return <code className="select-all break-all font-mono text-sm">{text}</code>;
}

function Run({ run }: { run: BackupRun | null }) {
  if (run === null) return backupMessages.never;
  const { startedAt, rows, files, bytes } = run;
  return (
    <>
      <RelativeTime at={startedAt} />
      <span className="text-ink-2">
        {`, with ${plural(rows, 'row')} and ${plural(files, 'file')} (${formatFileSize(bytes)})`}
      </span>
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 sm:col-span-2 sm:grid-cols-subgrid">
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
