import type { ReactNode } from 'react';
import { messages } from '#shared/messages.ts';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { Logo } from '../../ui/logo.tsx';

/** Layout of the pages before signing in: name, one panel and a back link. */
export function PublicPanel({
  title,
  back = { to: '/', label: 'Back to Home' },
  children,
}: {
  title: string;
  /** The link below; null for none. */
  back?: { to: string; label: string } | null;
  children: ReactNode;
}) {
  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-6 p-4">
      <div className="flex items-center gap-3">
        <Logo size={36} />
        <h1 className="font-semibold text-xl">{messages.app.name}</h1>
      </div>
      <div className="w-full max-w-sm rounded-panel border border-line bg-surface p-6">
        <h2 className="mb-4 font-semibold text-lg [overflow-wrap:anywhere]">{title}</h2>
        {children}
      </div>
      {back !== null && (
        <ButtonLink to={back.to} variant="quiet">
          {back.label}
        </ButtonLink>
      )}
    </main>
  );
}
