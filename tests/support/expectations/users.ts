import { uuidv7 } from '#shared/ids.ts';
import { GUESSED_ATTESTATION } from './passkeys.ts';
import { EVERYWHERE_OK, type ExpectationsOf, nothing, operationId } from './row.ts';

const NOT_FOUND = { own: 'not_found', other: 'not_found', absent: 'not_found' };

export const users: ExpectationsOf<'users'> = {
  'users.list': { kind: 'query', needs: 'view_users', input: nothing, outcome: 'ok' },
  'users.setRole': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({ operationId: operationId(), userId: personId, role: 'viewer' }),
  },
  'users.grant': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId, buildingId }) => ({ operationId: operationId(), userId: personId, buildingId }),
  },
  'users.revoke': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId, buildingId }) => ({ operationId: operationId(), userId: personId, buildingId }),
  },
  'users.setAccess': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId, buildingId }) => ({
      operationId: operationId(),
      userId: personId,
      buildingIds: [buildingId],
      granted: true,
    }),
  },
  'users.invite': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      email: `${uuidv7()}@example.com`,
      firstName: 'From',
      lastName: 'Sweep',
      role: 'viewer',
      buildingIds: [buildingId],
    }),
  },
  'users.makeLink': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({
      operationId: operationId(),
      userId: personId,
    }),
  },
  'users.setActive': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({ operationId: operationId(), userId: personId, active: true }),
  },
  'users.endSessions': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({ operationId: operationId(), userId: personId }),
  },
  'users.sessions': {
    kind: 'query',
    needs: 'manage_users',
    input: ({ personId }) => ({ userId: personId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'users.roles': {
    kind: 'query',
    needs: 'view_users',
    input: ({ personId }) => ({ userId: personId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'users.providerAccounts': {
    kind: 'query',
    needs: 'manage_users',
    input: ({ personId }) => ({ userId: personId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  // No provider is configured.
  'users.allowProvider': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({ operationId: operationId(), userId: personId, provider: 'none' }),
    outcome: 'not_found',
    adminOutcome: NOT_FOUND,
  },
  // A provider that is no longer configured can be unlinked, too.
  'users.unlinkProvider': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({ operationId: operationId(), userId: personId, provider: 'none' }),
  },
  'users.secondFactor': {
    kind: 'query',
    needs: 'manage_users',
    input: ({ personId }) => ({ userId: personId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'users.resetSecondFactor': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({ operationId: operationId(), userId: personId }),
  },
  'users.myProviderAccounts': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'users.mySecondFactor': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'users.beginSecondFactor': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId() }),
    outcome: 'ok',
  },
  'users.addSecondFactor': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId(), enrolment: 'a-guess', code: '123456' }),
    outcome: 'conflict',
  },
  'users.removeSecondFactor': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId() }),
    outcome: 'ok',
  },
  'users.makeRecoveryCodes': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId() }),
    outcome: 'not_found',
  },
  'users.myPasskeys': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  // The tests call the server by its IP address, for which there are no passkeys.
  'users.beginPasskey': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId() }),
    outcome: 'forbidden',
  },
  'users.addPasskey': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({
      ...{ operationId: operationId(), id: uuidv7(), name: 'Phone' },
      ...{ challenge: 'a-guess', attestation: GUESSED_ATTESTATION },
    }),
    outcome: 'forbidden',
  },
  'users.renamePasskey': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId(), id: uuidv7(), name: 'Phone' }),
    outcome: 'not_found',
  },
  'users.removePasskey': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId(), id: uuidv7() }),
    outcome: 'not_found',
  },
  'users.mySessions': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'users.myNotices': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'users.dismissNotices': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId(), ids: [uuidv7()] }),
    outcome: 'ok',
  },
  'users.endMySession': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId(), sessionId: 'none-of-theirs' }),
    outcome: 'ok',
  },
  'users.renameMe': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId(), firstName: 'From', lastName: 'Sweep' }),
    outcome: 'ok',
  },
};
