// Stands in the page itself (see build/first-script.ts) and runs before everything else, because it must work where
// nothing else arrives. Imports nothing.

const LATE_MS = 10_000;
/** In the session storage: this tab has been reloaded for a lost file, and not once been whole since. */
const RELOADED = 'lintel.reloaded';
const PARTS = 'script[src], link[rel=modulepreload], link[rel=stylesheet]';

// A theme chosen by hand must not flash the other one. Without a choice the style sheet follows the system by itself.
try {
  const chosen = localStorage.getItem('lintel.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
} catch {
  // Storage may be forbidden; the system's theme then holds.
}

let whole = false;
let lost = false;
let notice: HTMLElement | undefined;

const isDrawn = () =>
  document.getElementById('root') !== null && document.getElementById('starting') === null;
/** A style sheet that failed looks like one that is empty. */
const failed = new Set<EventTarget>();
const missingStyles = () =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(
    (link) => link.sheet === null || failed.has(link),
  );

const observer = new MutationObserver(look);
observer.observe(document, { childList: true, subtree: true });
const late = setTimeout(onLate, LATE_MS);
// They do not bubble.
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
// A script that another one asks for.
addEventListener('unhandledrejection', onLost);

/** From then on the app speaks for itself. */
function look(): void {
  if (whole || !isDrawn() || missingStyles().length > 0) return;
  whole = true;
  observer.disconnect();
  clearTimeout(late);
  notice?.remove();
  remember(undefined);
}

/** A file did not come: fetched once more, it is there for the page to start again with. */
async function onLost(): Promise<void> {
  if (whole || lost) return;
  lost = true;
  const again = [...document.querySelectorAll<HTMLScriptElement & HTMLLinkElement>(PARTS)].map(
    ({ src, href }) => fetch(href || src, { signal: AbortSignal.timeout(LATE_MS) }),
  );
  try {
    // An answer that it is gone is one, too: the page is of an older version.
    await Promise.all(again);
    if (remember('yes')) location.reload();
    else tell();
  } catch {
    tell();
  }
}

/** @returns whether this is new */
function remember(value: string | undefined): boolean {
  try {
    const before = sessionStorage.getItem(RELOADED);
    if (value === undefined) sessionStorage.removeItem(RELOADED);
    else sessionStorage.setItem(RELOADED, value);
    return before === null;
  } catch {
    // Without it the page might start again for ever.
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
    // Without an answer a reload would leave the browser's own page.
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
  // Nothing is painted while a style sheet of the page is on its way. One that a script brings holds up nothing.
  for (const link of missingStyles()) link.replaceWith(link.cloneNode());
}
