import { useQuery } from '@tanstack/react-query';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import type { ProviderStatus, SignInStatus } from '#shared/features/users/sign-in.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { formatNumber } from '#shared/format-number.ts';
import { parseRole, ROLE_LABELS } from '#shared/permissions.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { Code, Notice, Row, Rows, StateCard } from './settings-parts.tsx';

/** Sign-in settings, the state of each identity provider, and the URLs to register there. */
export function SignInCard() {
  const query = useQuery({
    queryKey: ['session.signInStatus'],
    queryFn: ({ signal }) => api.session.signInStatus.query(undefined, { signal }),
    staleTime: 0,
  });
  return (
    <StateCard query={query} failed={signInMessages.fetchFailed} title={signInMessages.title}>
      {(status) => (
        <>
          <State status={status} />
          <Passwords {...status} />
          {status.providers.map((provider) => (
            <Provider key={provider.id} {...provider} />
          ))}
        </>
      )}
    </StateCard>
  );
}

function Passwords({ passwords, emergencyEmail, secondFactor, providers }: SignInStatus) {
  const { roles, people, enrolled } = secondFactor;
  return (
    <Rows>
      {providers.length > 0 && (
        <Row name={signInMessages.passwords}>
          {passwords === 'on'
            ? signInMessages.passwordsOn
            : signInMessages.passwordsEmergency(emergencyEmail ?? '')}
        </Row>
      )}
      <Row name={secondFactorMessages.title}>
        {roles.length === 0
          ? secondFactorMessages.optional
          : secondFactorMessages.requiredOf(
              roles.map((role) => ROLE_LABELS[role]).join(', '),
              enrolled,
              people,
            )}
      </Row>
    </Rows>
  );
}

function State({ status: { providers, emergencyProblem } }: { status: SignInStatus }) {
  if (providers.length === 0) {
    return <Notice title={signInMessages.none}>{signInMessages.noneText}</Notice>;
  }
  const down = providers.filter(({ problem }) => problem !== null);
  if (down.length === 0 && emergencyProblem === null) return <Notice title={signInMessages.well} />;
  return (
    <>
      {emergencyProblem !== null && <Notice isBad title={emergencyProblem} />}
      {down.map(({ id, name, problem }) => (
        <Notice key={id} isBad title={signInMessages.down(name)}>
          {problem}
        </Notice>
      ))}
    </>
  );
}

function Provider(provider: ProviderStatus) {
  const { name, issuer, callbackUrl, logoutUrl, newPeople, rolesClaim, locationsClaim, linked, lastUsedAt } =
    provider;
  const { reauthentication, isWithoutAuthTime } = provider;
  const role = newPeople === null ? undefined : parseRole(newPeople);
  const decidedBy = (claim: string | null) =>
    claim === null ? signInMessages.byAdministrators : signInMessages.byClaim(claim);
  return (
    <section className="grid gap-3 border-line border-t pt-4">
      <h3 className="font-medium [overflow-wrap:anywhere]">{name}</h3>
      <Rows>
        <Row name={signInMessages.issuer}>{issuer}</Row>
        <Row name={signInMessages.callback}>
          <Code text={callbackUrl} />
        </Row>
        <Row name={signInMessages.logout}>
          <Code text={logoutUrl} />
        </Row>
        <Row name={signInMessages.newPeople}>
          {role === undefined
            ? signInMessages.newPeopleRefused
            : signInMessages.newPeopleRole(ROLE_LABELS[role])}
        </Row>
        <Row name={signInMessages.roles}>{decidedBy(rolesClaim)}</Row>
        <Row name={signInMessages.locations}>{decidedBy(locationsClaim)}</Row>
        <Row name={signInMessages.reauthentication}>
          {reauthentication === 'auth_time' && isWithoutAuthTime ? (
            <span className="text-bad">{signInMessages.withoutAuthTime}</span>
          ) : (
            signInMessages.reauthentications[reauthentication]
          )}
        </Row>
        <Row name={signInMessages.linkedPeople}>{formatNumber(linked)}</Row>
        <Row name={signInMessages.lastUsed}>
          {lastUsedAt === null ? signInMessages.never : <RelativeTime at={lastUsedAt} />}
        </Row>
      </Rows>
    </section>
  );
}
