import { TriangleAlert } from 'lucide-react';
import { messages } from '#shared/messages.ts';
import { useMe } from '../features/session/session-context.ts';

/** What administrators must know of the installation, for as long as it is so. It cannot be dismissed. */
export function InstallationNotices() {
  const { insecureHttp, diskLow } = useMe();
  return (
    <>
      {insecureHttp && <Notice text={messages.app.insecureHttp} />}
      {diskLow && <Notice text={messages.app.diskLow} />}
    </>
  );
}

function Notice({ text }: { text: string }) {
  return (
    <p
      role="status"
      className="flex items-start justify-center gap-2 border-due border-b bg-due-soft px-4 py-1.5 text-due print:hidden"
    >
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      {text}
    </p>
  );
}
