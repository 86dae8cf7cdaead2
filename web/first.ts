// This script is inlined into the page (see build/first-script.ts) and runs before everything else, because it must work
// even if no other file arrives. It imports nothing.

const LATE_MS = 10_000;
/**
 * The key in session storage that is set when this tab is reloaded because of a missing file. It is removed when the page
 * is complete.
 */
const RELOADED = 'lintel.reloaded';
const PARTS = 'script[src], link[rel=modulepreload], link[rel=stylesheet]';

// Sets a chosen theme before the first paint, to avoid a flash of the other one. Without a choice the style sheet
// follows the system.
try {
  const chosen = localStorage.getItem('lintel.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
} catch {
  // Storage may be forbidden; the system's theme then applies.
}

let whole = false;
let lost = false;
let notice: HTMLElement | undefined;

const isDrawn = () =>
  document.getElementById('root') !== null && document.getElementById('starting') === null;
/** Style sheets that failed to load, which look the same as empty ones. */
const failed = new Set<EventTarget>();
const missingStyles = () =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(
    (link) => link.sheet === null || failed.has(link),
  );

const observer = new MutationObserver(look);
observer.observe(document, { childList: true, subtree: true });
const late = setTimeout(onLate, LATE_MS);
// Load and error events do not bubble, so they are captured.
addEventListener('load', look, true);
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof Element && target.matches(PARTS))) return;
    failed.add(target);
    void onLost();
  },
  true,
);
// A script has failed to import another script.
addEventListener('unhandledrejection', onLost);

/** Stops watching once the page is complete: from then on the app reports its own failures. */
function look(): void {
  if (whole || !isDrawn() || missingStyles().length > 0) return;
  whole = true;
  observer.disconnect();
  clearTimeout(late);
  notice?.remove();
  remember(undefined);
}

/** Handles a file that did not load: fetches all files again and then reloads the page, once. */
async function onLost(): Promise<void> {
  if (whole || lost) return;
  lost = true;
  const again = [...document.querySelectorAll<HTMLScriptElement & HTMLLinkElement>(PARTS)].map(
    ({ src, href }) => fetch(href || src, { signal: AbortSignal.timeout(LATE_MS) }),
  );
  try {
    // An answer that a file no longer exists also leads to the reload: the page then belongs to an older version.
    await Promise.all(again);
    if (remember('yes')) location.reload();
    else tell();
  } catch {
    tell();
  }
}

/** Sets the key `RELOADED`, or removes it. @returns whether it was not set before */
function remember(value: string | undefined): boolean {
  try {
    const before = sessionStorage.getItem(RELOADED);
    if (value === undefined) sessionStorage.removeItem(RELOADED);
    else sessionStorage.setItem(RELOADED, value);
    return before === null;
  } catch {
    // Without storage the page might reload in a loop.
    return false;
  }
}

function tell(): void {
  if (whole || notice !== undefined) return;
  notice = document.createElement('div');
  notice.id = 'not-started';
  notice.role = 'alert';
  const text = document.createElement('p');
  text.textContent = "Lintel hasn't loaded. The connection may be slow or lost.";
  const button = document.createElement('button');
  button.textContent = 'Try again';
  button.onclick = () => {
    button.disabled = true;
    // Without an answer a reload would show the browser's own error page.
    fetch(location.href, { cache: 'no-store', signal: AbortSignal.timeout(LATE_MS) }).then(
      () => location.reload(),
      () => {
        button.disabled = false;
      },
    );
  };
  notice.append(text, button);
  (document.body ?? document.documentElement).append(notice);
}

function onLate(): void {
  tell();
  // The browser does not paint the page while one of its style sheets is loading. A style sheet that a script adds does
  // not block painting.
  for (const link of missingStyles()) link.replaceWith(link.cloneNode());
}
