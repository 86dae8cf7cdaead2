import { TriangleAlert } from 'lucide-react';
import { messages } from '#shared/messages.ts';
import { useMe } from '../features/session/session-context.ts';

/** Warnings to administrators about the installation, shown while they apply. They cannot be dismissed. */
export function InstallationNotices() {
  const { insecureHttp, diskLow, backupProblem } = useMe();
  return (
    <>
      {insecureHttp && <Notice text={messages.app.insecureHttp} />}
      {diskLow && <Notice text={messages.app.diskLow} />}
      {backupProblem !== null && <Notice text={backupProblem} />}
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
