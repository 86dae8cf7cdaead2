import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { onFirstInteraction } from '../lib/first-interaction.ts';
import { codeAt } from './page-code.ts';
import { pages } from './pages.ts';
import { targetOf } from './safe-path.ts';

/** Fetches the code of the page after the sign-in while a person types. A failure repeats, and is reported, on that page. */
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
