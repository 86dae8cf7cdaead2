import { useQuery } from '@tanstack/react-query';
import type { HealthStatus } from '#shared/features/health/health.ts';
import { healthMessages as words } from '#shared/features/health/health-messages.ts';
import { formatNumber } from '#shared/format-number.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { Notice, Row, Rows, StateCard } from './settings-parts.tsx';

/** Polling interval. Polled, because the live stream has no events for the state of the installation. */
const ASK_EVERY_MS = 30_000;

/** Card with the state of the installation: problems, and instructions to solve them. */
export function HealthCard() {
  const query = useQuery({
    queryKey: ['health.status'],
    queryFn: ({ signal }) => api.health.status.query(undefined, { signal }),
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  });
  return (
    <StateCard query={query} failed={words.fetchFailed} title={words.title}>
      {(status) => (
        <>
          {status.problems.length === 0 && <Notice title={words.well} />}
          {status.problems.map(({ title, text }) => (
            <Notice key={title} isBad title={title}>
              {text}
            </Notice>
          ))}
          <State {...status} />
        </>
      )}
    </StateCard>
  );
}

function State({ version, startedAt, publicUrl, database, diskFree, mailFrom, jobsRanAt }: HealthStatus) {
  const whose = database.isOwn ? words.ownDatabase : words.givenDatabase;
  return (
    <Rows>
      <Row name={words.version}>
        {`${version}, ${words.started} `}
        <RelativeTime at={startedAt} />
      </Row>
      <Row name={words.address}>{publicUrl ?? words.noAddress}</Row>
      <Row name={words.database}>
        {`Postgres ${database.version}, ${whose}: ${formatFileSize(database.bytes)}, ${formatNumber(database.events)} events in the log`}
      </Row>
      <Row name={words.disk}>{formatFileSize(diskFree)}</Row>
      <Row name={words.mail}>{mailFrom === null ? words.noMail : words.mailFrom(mailFrom)}</Row>
      <Row name={words.jobs}>
        {jobsRanAt === null ? (
          words.noJobs
        ) : (
          <>
            {`${words.jobsRan} `}
            <RelativeTime at={jobsRanAt} />
          </>
        )}
      </Row>
    </Rows>
  );
}
