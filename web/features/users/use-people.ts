import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import type { LinkDelivery, LinkKind, Person } from '#shared/features/users/users.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import type { Role } from '#shared/permissions.ts';
import { tell } from '../../forms/toasts.ts';
import { presentInstant } from '../../lib/time/present-time.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';

/**
 * A one-time link that was just created. The token is present only without mail configured, and only in this window.
 */
export type MadeLink = {
  userId: string;
  kind: LinkKind;
  token: string | undefined;
  expiresAt: string;
  mailed: LinkDelivery;
  email: string;
};

/** Commands of the Users tab. Changes of a person show at once; each command shows a toast with its outcome. */
export function usePeopleCommands() {
  const { mutate } = useLiveMutation();

  /** @returns whether the role was changed */
  async function setRole(person: Person, role: Role, setupCode: string | undefined): Promise<boolean> {
    const answer = mutate({
      input: {
        userId: person.id,
        from: person.role,
        role,
        ...(setupCode === undefined ? {} : { setupCode }),
      },
      overlay: { entity: 'person', id: person.id, base: person, patch: { role } },
      send: (input, context) => api.users.setRole.mutate(input, context),
    });
    const words = {
      about: nameOf(person),
      success: userMessages.roleUpdated,
      failure: userMessages.roleFailed,
    };
    return (await tell(answer, words)) !== undefined;
  }

  async function setAccess(person: Person, buildingIds: string[], granted: boolean): Promise<void> {
    const changed = new Set(buildingIds);
    const others = person.buildings.filter((id) => !changed.has(id));
    const patch = { buildings: granted ? [...others, ...buildingIds] : others };
    const overlay = { entity: 'person', id: person.id, base: person, patch } as const;
    const [only] = buildingIds;
    const answer =
      buildingIds.length === 1 && only !== undefined
        ? mutate({
            input: { userId: person.id, buildingId: only },
            overlay,
            send: (input, context) => (granted ? api.users.grant : api.users.revoke).mutate(input, context),
          })
        : mutate({
            input: { userId: person.id, buildingIds, granted },
            overlay,
            send: (input, context) => api.users.setAccess.mutate(input, context),
          });
    await tell<{ version: number }>(
      answer,
      granted
        ? { about: nameOf(person), success: userMessages.accessGranted, failure: userMessages.grantFailed }
        : { about: nameOf(person), success: userMessages.accessRevoked, failure: userMessages.revokeFailed },
    );
  }

  /** Allows an account at a provider to be linked, or unlinks it. */
  async function setProvider(person: Person, provider: string, allowed: boolean): Promise<void> {
    const answer = mutate({
      input: { userId: person.id, provider },
      send: (input, context) =>
        (allowed ? api.users.allowProvider : api.users.unlinkProvider).mutate(input, context),
    });
    await tell(
      answer,
      allowed
        ? { about: nameOf(person), success: signInMessages.allowed, failure: signInMessages.allowFailed }
        : { about: nameOf(person), success: signInMessages.unlinked, failure: signInMessages.unlinkFailed },
    );
  }

  async function setActive(person: Person, active: boolean): Promise<void> {
    const deactivatedAt = active ? null : presentInstant();
    const answer = mutate({
      input: { userId: person.id, active },
      overlay: { entity: 'person', id: person.id, base: person, patch: { deactivatedAt } },
      send: (input, context) => api.users.setActive.mutate(input, context),
    });
    await tell(
      answer,
      active
        ? { about: nameOf(person), success: userMessages.reactivated, failure: userMessages.reactivateFailed }
        : {
            about: nameOf(person),
            success: userMessages.deactivated,
            failure: userMessages.deactivateFailed,
          },
    );
  }

  async function makeLink({ id, email }: Pick<Person, 'id' | 'email'>): Promise<MadeLink | undefined> {
    const answer = mutate({
      input: { userId: id },
      send: (input, context) => api.users.makeLink.mutate(input, context),
    });
    const made = await tell(answer, { failure: userMessages.linkFailed });
    if (made === undefined) return undefined;
    const { kind, expiresAt, mailed, token } = made;
    return { userId: id, kind, token, expiresAt, mailed, email };
  }

  async function endSessions(person: Person, sessionId?: string): Promise<void> {
    const answer = mutate({
      input: { userId: person.id, ...(sessionId === undefined ? {} : { sessionId }) },
      send: (input, context) => api.users.endSessions.mutate(input, context),
    });
    const name = nameOf(person);
    const success =
      sessionId === undefined ? userMessages.signedOutEverywhere(name) : userMessages.sessionEnded;
    await tell(answer, { about: name, success, failure: userMessages.signOutFailed });
  }

  /** @returns whether the second factor was reset */
  async function resetSecondFactor(person: Person): Promise<boolean> {
    const answer = mutate({
      input: { userId: person.id },
      send: (input, context) => api.users.resetSecondFactor.mutate(input, context),
    });
    const words = {
      about: nameOf(person),
      success: secondFactorMessages.resetDone,
      failure: secondFactorMessages.resetFailed,
    };
    return (await tell(answer, words)) !== undefined;
  }

  return { resetSecondFactor, setRole, setAccess, setActive, makeLink, endSessions, setProvider };
}

function nameOf({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}
