import { Link } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { usePageTitle } from '../../lib/page-title.tsx';
import { pages } from '../pages.ts';

export default function NotFoundPage() {
  const title = usePageTitle(pages.notFound.title);
  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-2 p-6 text-center">
      <h1 className="font-semibold text-2xl tabular-nums">{title}</h1>
      <p className="text-ink-2 text-md">{messages.app.pageNotFound}</p>
      <Link
        to={pages.home.path}
        className="mt-3 inline-flex min-h-9 items-center rounded-control font-medium text-brand underline underline-offset-4 pointer-coarse:min-h-12"
      >
        Return to Home
      </Link>
    </main>
  );
}
