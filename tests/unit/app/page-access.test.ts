import { expect, test } from 'vitest';
import { can, type Permission, ROLES, type Role } from '#shared/permissions.ts';
import { PAGE_EXPECTATIONS } from '#tests/support/expectations/pages.ts';
import { isPermitted, pageNames, pageOf } from '#web/app/pages.ts';

// The pages that each role may open. `tests/screens/session/session.spec.ts` tests how a page refuses a person.

test.each(pageNames)('%s is for the roles of the table', (name) => {
  const mayOpen = (role: Role) => {
    const has = (permission: Permission) => can(role, permission);
    return isPermitted(pageOf(name), {
      can: has,
      canAll: (all) => all.every(has),
      canAny: (any) => any.some(has),
    });
  };
  expect(ROLES.filter(mayOpen)).toEqual(PAGE_EXPECTATIONS[name].roles);
});

test('only what leads to signing in, and a page that is not there, is for visitors', () => {
  expect(pageNames.filter((name) => pageOf(name).access === 'public')).toEqual([
    ...['home', 'signIn', 'setup', 'forgot', 'reauthenticated', 'invite', 'reset', 'notFound'],
  ]);
});
