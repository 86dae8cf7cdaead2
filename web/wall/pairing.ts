import { CODE_MS, formatCode } from '#shared/features/displays/displays.vocabulary.ts';
import { qrSquares } from '../lib/qr-squares.ts';
import { call } from './call.ts';
import { el } from './element.ts';
import { words } from './words.ts';

const ASK_MS = 3_000;
const RETRY_MS = 5_000;
const LIMITED_MS = 30_000;
const SVG = 'http://www.w3.org/2000/svg';

/**
 * Shows a code until an administrator has entered it, and a new code whenever one expires.
 * @param show displays a page on the screen
 * @param onPaired called when this browser has the credential of the display
 */
export function runPairing(show: (page: HTMLElement) => void, onPaired: () => void): void {
  const later = (work: () => Promise<void>, ms: number) => window.setTimeout(() => void work(), ms);

  async function request(): Promise<void> {
    const { width, height } = window.screen;
    const answer = await call<{ code: string; claim: string; validMs: number }>(
      'mutation',
      'displays.requestCode',
      {
        input: { width, height },
        asDisplay: false,
      },
    );
    if (!answer.ok) {
      const isLimited = answer.code === 'rate_limited';
      show(isLimited ? message(words.pairTitle, words.wait) : connecting());
      later(request, isLimited ? LIMITED_MS : RETRY_MS);
      return;
    }
    const { code, claim, validMs = CODE_MS } = answer.data;
    show(codePage(code));
    await waitFor(claim, performance.now() + validMs);
  }

  async function waitFor(claim: string, until: number): Promise<void> {
    const answer = await call<{ state: 'waiting' | 'paired' | 'expired' }>('mutation', 'displays.claim', {
      input: { claim },
      asDisplay: false,
    });
    if (answer.ok && answer.data.state === 'paired') return onPaired();
    // After its lifetime the code on the screen is not valid, even if the server cannot be asked.
    if ((answer.ok && answer.data.state === 'expired') || performance.now() > until) return request();
    later(() => waitFor(claim, until), ASK_MS);
  }

  void request();
}

/** A page with a sentence in the middle. */
export function message(title: string, text: string): HTMLElement {
  return el('div', 'page', el('div', 'middle', el('h1', '', title), el('p', 'quiet', text)));
}

export function connecting(): HTMLElement {
  return message(words.connecting, words.connectingText(window.location.host));
}

function codePage(code: string): HTMLElement {
  const { host, origin } = window.location;
  return el(
    'div',
    'page',
    el(
      'div',
      'middle',
      el('h1', '', words.pairTitle),
      el('p', 'quiet', words.pairText(host)),
      el('div', 'code', formatCode(code)),
      qrOf(`${origin}/displays?code=${code}`),
    ),
  );
}

function qrOf(text: string): HTMLElement {
  const { size, path } = qrSquares(text);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `-2 -2 ${size + 4} ${size + 4}`);
  const squares = document.createElementNS(SVG, 'path');
  squares.setAttribute('d', path);
  squares.setAttribute('shape-rendering', 'crispEdges');
  svg.appendChild(squares);
  const box = el('div', 'qr');
  box.appendChild(svg);
  return box;
}
