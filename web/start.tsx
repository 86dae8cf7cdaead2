import './lib/intercept-history.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { preloadPage } from './app/routes.tsx';
import { loadSignOutMark } from './features/session/sign-out-mark.ts';
import { onFirstInteraction } from './lib/first-interaction.ts';
import { keepServerClock } from './lib/time/server-clock.ts';
import { followTranslation } from './lib/translated-page.ts';

keepServerClock();
followTranslation();
// A failure to load is ignored, because the page works without the guard against double taps.
onFirstInteraction((sign) =>
  import('./ui/buttons/second-tap.ts').then(
    (it) => it.holdBackSecondTaps(sign),
    () => undefined,
  ),
);
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
// The document's spinner stays until the code is loaded, so that a slow phone draws the page once, and not a spinner of
// the app first. Not awaited here, because the page's code imports from this file's chunk.
void Promise.all([preloadPage(window.location.pathname), loadSignOutMark()]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
