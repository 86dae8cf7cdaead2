import { TriangleAlert } from 'lucide-react';
import { messages } from '#shared/messages.ts';
import { useMe } from '../features/session/session-context.ts';

/** For administrators, as long as the installation lets people sign in over plain http. It cannot be dismissed. */
export function InsecureNotice() {
  if (!useMe().insecureHttp) return null;
  return (
    <p
      role="status"
      className="flex items-start justify-center gap-2 border-due border-b bg-due-soft px-4 py-1.5 text-due print:hidden"
    >
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      {messages.app.insecureHttp}
    </p>
  );
}
