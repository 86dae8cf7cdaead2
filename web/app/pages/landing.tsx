import { Building2, ClipboardCheck, Radio, ShieldCheck } from 'lucide-react';
import { type MouseEvent, useRef } from 'react';
import { Navigate } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { useSession } from '../../features/session/session-context.ts';
import { usePageTitle } from '../../lib/page-title.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { Logo } from '../../ui/logo.tsx';
import { pages } from '../pages.ts';

/** Sections under 'What it does'; a new feature adds its own. */
const ABILITIES = [
  {
    icon: Building2,
    title: 'Building issues',
    text: 'Report a maintenance problem or a safety concern where it is found, follow it on a board, and see what is overdue.',
  },
  {
    icon: ClipboardCheck,
    title: 'Safety checks and the log book',
    text: 'Fire alarm, emergency lighting and water, recorded on a phone even where there is no signal. A failed check raises its issue automatically.',
  },
  {
    icon: Radio,
    title: 'Live for everyone',
    text: 'A change by one person reaches every other screen a moment later. No reloading, and no working from an old list.',
  },
  {
    icon: ShieldCheck,
    title: 'The right people, the right buildings',
    text: 'Four roles, with access set building by building. Every change is recorded with who made it and when.',
  },
];

/** Public home page. A signed-in person is redirected to the dashboard. */
export default function LandingPage() {
  usePageTitle();
  const { loading, user } = useSession();
  const more = useRef<HTMLElement>(null);
  if (!loading && user !== null) return <Navigate to={pages.dashboard.path} replace />;

  // Scrolls by script instead of linking to an anchor, so that neither the URL nor the history changes.
  function learnMore(event: MouseEvent) {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    more.current?.scrollIntoView({ behavior: calm ? 'auto' : 'smooth' });
    // The keyboard activated the link (`detail` is 0), so the focus moves as well.
    if (event.detail === 0) more.current?.focus({ preventScroll: true });
  }

  return (
    <main>
      <section className="grid min-h-[88dvh] content-center justify-items-center gap-5 p-6 text-center">
        <Logo size={64} />
        <h1 className="font-semibold text-2xl tracking-[-0.02em]">{messages.app.name}</h1>
        <p className="max-w-md text-balance text-ink-2 text-lg">{messages.app.tagline}</p>
        <div className="mt-3 flex flex-wrap justify-center gap-3">
          <ButtonLink to={pages.signIn.path} variant="primary" size="lg">
            Sign In
          </ButtonLink>
          <Button size="lg" onClick={learnMore}>
            Learn More
          </Button>
        </div>
      </section>
      <section
        ref={more}
        tabIndex={-1}
        aria-labelledby="what-it-does"
        className="min-h-[70dvh] border-line border-t bg-surface px-6 py-16 focus:outline-none"
      >
        <div className="mx-auto max-w-5xl">
          <h2 id="what-it-does" className="font-semibold text-xl">
            What it does
          </h2>
          <ul className="mt-8 grid gap-8 md:grid-cols-2">
            {ABILITIES.map(({ icon: Icon, title, text }) => (
              <li key={title}>
                <div
                  className="mb-3 grid size-10 place-items-center rounded-control bg-brand-soft text-brand"
                  aria-hidden
                >
                  <Icon size={20} />
                </div>
                <h3 className="font-semibold text-md">{title}</h3>
                <p className="mt-1 text-ink-2 text-md">{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </main>
  );
}
