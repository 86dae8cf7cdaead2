import { Lock } from 'lucide-react';
import { messages } from '#shared/messages.ts';
import { useSignOut } from '../../features/session/use-sign-out.ts';
import { usePageTitle } from '../../lib/page-title.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { pages } from '../pages.ts';

/** Shown to a signed-in person whose role opens no page. */
export default function UnauthorizedPage() {
  const title = usePageTitle(pages.unauthorized.title);
  const signOut = useSignOut();
  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-2 p-6 text-center">
      <div className="mb-2 grid size-12 place-items-center rounded-full bg-bad-soft text-bad" aria-hidden>
        <Lock size={22} />
      </div>
      <h1 className="font-semibold text-xl">{title}</h1>
      <p className="max-w-md text-ink-2">{messages.app.unauthorized}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2.5">
        <ButtonLink to={pages.home.path}>Return to Home</ButtonLink>
        <Button variant="primary" onClick={() => void signOut()}>
          Sign Out
        </Button>
      </div>
    </main>
  );
}
