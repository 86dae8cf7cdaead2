import { matchPath } from 'react-router-dom';
import { expect, test } from 'vitest';
import { everyScreen } from '#tests/support/accessibility/every-screen.ts';
import { pages } from '#web/app/pages.ts';

test('every address of the product is among the screens whose accessibility is looked at', () => {
  const seen = Object.values(everyScreen)
    .flatMap((screens) => Object.values(screens))
    .map(({ path }) => path.split('?')[0] ?? '');
  const missing = Object.values(pages).filter(
    (page) => !seen.some((path) => path === page.path || matchPath(page.path, path) !== null),
  );
  expect(missing).toEqual([]);
});
