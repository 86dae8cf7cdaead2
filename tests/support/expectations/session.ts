import { uuidv7 } from '#shared/ids.ts';
import { GUESSED_ASSERTION } from './passkeys.ts';
import { type ExpectationsOf, empty, nothing } from './row.ts';

export const session: ExpectationsOf<'session'> = {
  'session.setupState': { kind: 'query', needs: 'everyone', input: nothing, outcome: 'ok' },
  'session.setup': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ start: 'sample', code: 'a-guess' }),
    outcome: 'forbidden',
  },
  'session.signIn': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ email: `${uuidv7()}@example.com`, password: 'a-guess' }),
    outcome: 'unauthenticated',
  },
  'session.completeSignIn': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ ticket: 'a-guess', code: '123456' }),
    outcome: 'unauthenticated',
  },
  'session.beginEnrolment': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ ticket: 'a-guess' }),
    outcome: 'unauthenticated',
  },
  'session.completeEnrolment': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ ticket: 'a-guess', enrolment: 'a-guess', code: '123456' }),
    outcome: 'unauthenticated',
  },
  // The tests call the server by its IP address, for which there are no passkeys.
  'session.beginPasskeySignIn': { kind: 'mutation', needs: 'everyone', input: empty, outcome: 'forbidden' },
  'session.signInWithPasskey': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ challenge: 'a-guess', assertion: GUESSED_ASSERTION }),
    outcome: 'unauthenticated',
  },
  'session.beginPasskeyReauthentication': {
    kind: 'mutation',
    needs: 'signedIn',
    input: empty,
    outcome: 'forbidden',
  },
  'session.reauthenticateWithPasskey': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ challenge: 'a-guess', assertion: GUESSED_ASSERTION }),
    outcome: 'forbidden',
  },
  'session.signOut': { kind: 'mutation', needs: 'everyone', input: empty, outcome: 'ok' },
  'session.active': { kind: 'query', needs: 'everyone', input: nothing, outcome: 'ok' },
  'session.me': {
    kind: 'query',
    needs: 'signedIn',
    declares: { ahead: true },
    input: nothing,
    outcome: 'ok',
  },
  'session.touch': { kind: 'mutation', needs: 'signedIn', input: empty, outcome: 'ok' },
  'session.reauthenticationOptions': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'session.reauthenticate': {
    kind: 'mutation',
    needs: 'signedIn',
    // Empty, because failed guesses are counted, and six would exceed the limit.
    input: () => ({ password: '' }),
    outcome: 'invalid',
  },
  'session.signInStatus': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'session.options': { kind: 'query', needs: 'everyone', input: nothing, outcome: 'ok' },
  'session.forgotPassword': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ email: `${uuidv7()}@example.com` }),
    outcome: 'ok',
  },
  'session.link': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ token: 'a'.repeat(43) }),
    outcome: 'not_found',
  },
  'session.followLink': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ token: 'a'.repeat(43), password: 'a-good-password' }),
    outcome: 'not_found',
  },
  'session.changePassword': {
    kind: 'mutation',
    needs: 'signedIn',
    // With an empty present password, because failed guesses are counted, and six would exceed the limit.
    input: () => ({ current: '', password: 'a-good-password' }),
    outcome: 'invalid',
  },
};
