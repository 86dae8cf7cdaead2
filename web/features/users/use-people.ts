import type { LinkDelivery, LinkKind, Person } from '#shared/features/users.ts';
import { userMessages } from '#shared/features/users-messages.ts';
import { messages } from '#shared/messages.ts';
import type { Role } from '#shared/permissions.ts';
import { messageFor } from '../../lib/message-for.ts';
import { api } from '../../lib/trpc.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { toast } from '../../ui/toast.ts';

function said(text: string): void {
  toast({ title: messages.common.success, text });
}

function failed(error: unknown, fallback: string): void {
  toast({ title: messages.common.error, text: messageFor(error, fallback), tone: 'destructive' });
}

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

  async function setRole(person: Person, role: Role, setupCode: string | undefined): Promise<boolean> {
    try {
      await mutate({
        input: {
          userId: person.id,
          from: person.role,
          role,
          ...(setupCode === undefined ? {} : { setupCode }),
        },
        overlay: { entity: 'person', id: person.id, base: person, patch: { role } },
        send: (input, context) => api.users.setRole.mutate(input, context),
      });
      said(userMessages.roleUpdated);
      return true;
    } catch (error) {
      failed(error, userMessages.roleFailed);
      return false;
    }
  }

  async function setAccess(person: Person, buildingIds: string[], granted: boolean): Promise<void> {
    const changed = new Set(buildingIds);
    const others = person.buildings.filter((id) => !changed.has(id));
    const patch = { buildings: granted ? [...others, ...buildingIds] : others };
    const overlay = { entity: 'person', id: person.id, base: person, patch } as const;
    const [only] = buildingIds;
    try {
      if (buildingIds.length === 1 && only !== undefined) {
        await mutate({
          input: { userId: person.id, buildingId: only },
          overlay,
          send: (input, context) => (granted ? api.users.grant : api.users.revoke).mutate(input, context),
        });
      } else {
        await mutate({
          input: { userId: person.id, buildingIds, granted },
          overlay,
          send: (input, context) => api.users.setAccess.mutate(input, context),
        });
      }
      said(granted ? userMessages.accessGranted : userMessages.accessRevoked);
    } catch (error) {
      failed(error, granted ? userMessages.grantFailed : userMessages.revokeFailed);
    }
  }

  async function setActive(person: Person, active: boolean): Promise<void> {
    const deactivatedAt = active ? null : new Date().toISOString();
    try {
      await mutate({
        input: { userId: person.id, active },
        overlay: { entity: 'person', id: person.id, base: person, patch: { deactivatedAt } },
        send: (input, context) => api.users.setActive.mutate(input, context),
      });
      said(active ? userMessages.reactivated : userMessages.deactivated);
    } catch (error) {
      failed(error, active ? userMessages.reactivateFailed : userMessages.deactivateFailed);
    }
  }

  async function makeLink({ id, email }: Pick<Person, 'id' | 'email'>): Promise<MadeLink | undefined> {
    try {
      const { kind, expiresAt, mailed, token } = await mutate({
        input: { userId: id },
        send: (input, context) => api.users.makeLink.mutate(input, context),
      });
      return { userId: id, kind, token, expiresAt, mailed, email };
    } catch (error) {
      failed(error, userMessages.linkFailed);
      return undefined;
    }
  }

  async function endSessions(person: Person, sessionId?: string): Promise<void> {
    try {
      await mutate({
        input: { userId: person.id, ...(sessionId === undefined ? {} : { sessionId }) },
        send: (input, context) => api.users.endSessions.mutate(input, context),
      });
      const name = `${person.firstName} ${person.lastName}`;
      said(sessionId === undefined ? userMessages.signedOutEverywhere(name) : userMessages.sessionEnded);
    } catch (error) {
      failed(error, userMessages.signOutFailed);
    }
  }

  return { setRole, setAccess, setActive, makeLink, endSessions };
}
