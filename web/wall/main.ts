import { CHIME_AGAIN_MS, chime } from './chime.ts';
import { el, fill } from './element.ts';
import { createFeed, type Feed } from './feed.ts';
import { layOut } from './layout.ts';
import { Arrivals, type Model, unansweredIn } from './model.ts';
import { connecting, message, runPairing } from './pairing.ts';
import { hashOf, type Page, pageIn, Rotation } from './rotation.ts';
import { alertBand, header, pagesOf, screen } from './screens.ts';
import { BEAT_MS, beat, registerWorker, stayAwake, Upkeep } from './upkeep.ts';
import { dayText, isWithin, localTime, timeText, words } from './words.ts';
import { Year } from './year.ts';

const PAINT_MS = 1_000;

// The cast: wall.html has this element.
const root = document.getElementById('wall') as HTMLElement;

/** Whether the shown page is outside the rotation. */
let isPlain = true;

function show(page: HTMLElement): void {
  isPlain = true;
  fitPlain();
  fill(root, page);
}

/** Lays out a page outside the rotation again: panels often get their size only after the page has been opened. */
function fitPlain(): void {
  if (isPlain) root.className = layOut(root, undefined, false).isPortrait ? 'portrait' : '';
}

/** Shows a code until the screen is paired, then runs the display until it is unpaired, and then shows a code again. */
function pair(): void {
  runPairing(show, () => {
    registerWorker();
    run();
  });
}

function run(): void {
  const rotation = new Rotation(pageIn(window.location.hash), performance.now());
  const upkeep = new Upkeep();
  const arrivals = new Arrivals();
  /** The parts of the page, and the present markup of each, so that only changed parts are replaced. */
  let parts: { top: HTMLElement; band: HTMLElement; body: HTMLElement } | undefined;
  let painted = { top: '', band: '', body: '' };
  let beatAt = Number.NEGATIVE_INFINITY;
  let reloadAskedAt: string | null | undefined;
  let chimedAt = Number.NEGATIVE_INFINITY;
  let isDue = false;
  let hasEnded = false;
  let pages: Page[] = [];

  const feed: Feed = createFeed({ onChange: paintSoon, onEnded: end });
  const year = new Year(paintSoon);
  const timer = window.setInterval(paintSoon, PAINT_MS);
  window.addEventListener('keydown', press);
  window.addEventListener('pointerdown', press);
  window.addEventListener('resize', paintSoon);
  show(connecting());

  /** Stops the display. Runs once, although both the stream and a pending beat may report the end. */
  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(timer);
    feed.stop();
    window.removeEventListener('keydown', press);
    window.removeEventListener('pointerdown', press);
    window.removeEventListener('resize', paintSoon);
    fill(root);
    history.replaceState(null, '', window.location.pathname);
    pair();
  }

  function press(event: Event): void {
    if (pages.length === 0) return;
    const key = event instanceof KeyboardEvent ? event.key : '';
    const by =
      key === 'ArrowRight' || key === 'ArrowDown' ? 1 : key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 0;
    rotation.press(pages, performance.now(), by);
    paintSoon();
  }

  function paintSoon(): void {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      if (!hasEnded) paint();
    });
  }

  function paint(): void {
    const { model, clock } = feed;
    const [now, dataAt] = [clock.now(), clock.dataAt()];
    if (model === undefined || now === undefined || dataAt === undefined) {
      upkeep.tend({ isQuiet: true, silentMs: performance.now(), local: undefined, isAsked: false });
      return;
    }
    const freshness = clock.freshness();
    if (freshness === 'blank') paintBlank(model, dataAt);
    else paintPage(model, { freshness, now, dataAt });
    tend(model, now, dataAt);
  }

  function paintBlank({ wall }: Model, dataAt: number): void {
    if (parts === undefined) return;
    parts = undefined;
    painted = { top: '', band: '', body: '' };
    const { timeZone } = wall;
    show(
      message(
        words.silentSince(timeText(dataAt, timeZone), dayText(dataAt, timeZone, 'long')),
        words.silentText,
      ),
    );
  }

  function paintPage(
    model: Model,
    time: { freshness: ReturnType<Feed['clock']['freshness']>; now: number; dataAt: number },
  ): void {
    const { settings, paused } = model.wall.display;
    const elapsed = performance.now();
    const { hour } = localTime(time.now, model.wall.timeZone);
    const isDim = settings.dim !== null && isWithin(hour, settings.dim);
    tellNew(model, elapsed, isDim);
    const band = alertBand(model, time);
    const layout = layOut(root, settings, band !== undefined);
    pages = pagesOf(model, layout);
    const page = rotation.page(pages, elapsed, { pageMs: settings.seconds * 1_000, isStopped: paused });
    parts ??= createParts();
    const kind = [layout.isPortrait && 'portrait', layout.isBare && 'bare', `is-${time.freshness}`];
    root.className = [...kind, isDim && 'dimmed'].filter(Boolean).join(' ');
    replace('top', header(model, { ...time, isPaused: paused || rotation.isPaused(elapsed) }, layout));
    parts.band.style.display = band === undefined ? 'none' : '';
    replace('band', el('div', band?.className ?? '', el('div', 'line', band?.text ?? '')));
    year.tend(model.wall);
    replace('body', screen(model, page, layout, { now: time.now, weeks: year.weeks }));
    const hash = hashOf(page);
    if (window.location.hash !== hash) history.replaceState(null, '', hash);
  }

  function createParts(): NonNullable<typeof parts> {
    isPlain = false;
    const made = { top: el('div', ''), band: el('div', ''), body: el('main', 'body') };
    fill(root, el('div', 'page', made.top, made.band, made.body));
    return made;
  }

  /** Replaces a part of the page if its markup has changed. */
  function replace(name: keyof typeof painted, made: HTMLElement): void {
    const text = made.outerHTML;
    if (parts === undefined || painted[name] === text) return;
    painted[name] = text;
    fill(parts[name], made);
  }

  /**
   * Pins the screen Now for a new critical issue. Plays the chime until the issue is answered, if the display is set to
   * chime and is not dimmed.
   */
  function tellNew(model: Model, elapsed: number, isDim: boolean): void {
    const isNew = arrivals.look(model);
    if (isNew) rotation.pin(elapsed);
    const isDue = unansweredIn(model).total > 0 && (isNew || elapsed - chimedAt >= CHIME_AGAIN_MS);
    if (!model.wall.display.settings.chime || isDim || !isDue) return;
    chimedAt = elapsed;
    chime();
  }

  function tend({ wall }: Model, now: number, dataAt: number): void {
    const elapsed = performance.now();
    const asked = wall.display.reloadAskedAt;
    const isAsked = reloadAskedAt !== undefined && asked !== null && asked !== reloadAskedAt;
    reloadAskedAt ??= asked ?? '';
    const isQuiet = !rotation.isPaused(elapsed) && !rotation.isPinned(elapsed);
    upkeep.tend({ isQuiet, silentMs: now - dataAt, local: localTime(now, wall.timeZone), isAsked });
    if (elapsed - beatAt < BEAT_MS) return;
    beatAt = elapsed;
    void tell(wall.display.version);
  }

  async function tell(version: number): Promise<void> {
    const answer = await beat(feed.position());
    if (!answer.ok && answer.code === 'unauthenticated') end();
    // The display's settings have changed, and the frame with that change was lost.
    else if (answer.ok && answer.data.version !== version) feed.refetch();
  }
}

window.addEventListener('resize', fitPlain);
stayAwake();
run();
