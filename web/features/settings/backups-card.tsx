import { backupMessages } from '#shared/features/backups/backup-messages.ts';
import type { BackupRun, BackupStatus } from '#shared/features/backups/backups.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { plural } from '#shared/text/plural.ts';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { BackupRuns } from './backup-runs.tsx';
import { Code, Notice, Row, Rows, StateCard } from './settings-parts.tsx';
import { useBackups } from './use-backups.ts';

/** Card with the state of the backups: their settings, whether they can be restored, and the last runs. */
export function BackupsCard() {
  return (
    <StateCard query={useBackups()} failed={backupMessages.fetchFailed} title={backupMessages.title}>
      {(data) => (
        <>
          <State status={data} />
          <Rows>
            <Row name={backupMessages.lastMade}>
              <Run run={data.made} />
            </Row>
            <Row name={backupMessages.lastVerified}>
              <Run run={data.verified} />
            </Row>
            {data.settings !== null && <Settings {...data.settings} />}
          </Rows>
          <BackupRuns runs={data.runs} />
        </>
      )}
    </StateCard>
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

function Settings({ to, at, encryptedTo, publicKey }: NonNullable<BackupStatus['settings']>) {
  return (
    <>
      <Row name={backupMessages.to}>{to}</Row>
      <Row name={backupMessages.at}>{at}</Row>
      <Row name={backupMessages.encryption}>
        {encryptedTo === null ? backupMessages.notEncrypted : <Code text={encryptedTo} />}
      </Row>
      <Row name={backupMessages.publicKey}>
        <Code text={publicKey} />
        <p className="mt-0.5 text-ink-2 text-sm">{backupMessages.publicKeyText}</p>
      </Row>
    </>
  );
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
