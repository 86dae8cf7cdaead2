import { expect, test } from 'vitest';
import { noticeSummary } from '#shared/features/users/notice-summary.ts';

const [device, changed, link] = [
  { kind: 'new_device' },
  { kind: 'password_changed' },
  { kind: 'link_made' },
] as const;

test.each([
  [[device], '1 new sign-in'],
  [[device, device, device], '3 new sign-ins'],
  [[device, changed], 'Your password was changed, 1 new sign-in'],
  [[link, device, link], 'A link to a new password was made, 1 new sign-in'],
])('%j are told in one line', (notices, said) => {
  expect(noticeSummary(notices)).toBe(said);
});
