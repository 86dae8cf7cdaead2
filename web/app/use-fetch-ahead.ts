import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { onFirstInteraction } from '../lib/first-interaction.ts';
import { codeAt } from './page-code.ts';
import { pages } from './pages.ts';
import { targetOf } from './safe-path.ts';

/**
 * Fetches the code of the page that follows the sign-in, while the person types. If this fails, the page fetches its code
 * again and reports a failure.
 */
export function useFetchAhead(): void {
  const location = useLocation();
  const { pathname } = location;
  const [target = ''] = targetOf(location).split(/[?#]/, 1);
  useEffect(() => {
    if (pathname !== pages.signIn.path) return;
    return onFirstInteraction(() => {
      for (const fetchCode of codeAt(target)) fetchCode().catch(() => undefined);
    });
  }, [pathname, target]);
}
