import { Building2, Upload, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { myBuildings } from '../../../features/locations/pickers/my-buildings.live.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { pages } from '../../pages.ts';

/** Shown to a person who sees no building: steps to add one, or why the pages are empty if they cannot. */
export default function FirstSteps() {
  const { data } = useLiveQuery(myBuildings, undefined);
  const { can } = usePermissions();
  if (data === undefined || data.length > 0) return null;
  if (!can('create_buildings')) {
    return (
      <div className="mt-6">
        <EmptyState
          icon={<Building2 size={20} />}
          title={messages.dashboard.noAccess}
          text={messages.dashboard.noAccessText}
        />
      </div>
    );
  }
  return (
    <section aria-labelledby="first-steps" className="mt-6 rounded-card border border-line bg-surface p-5">
      <h2 id="first-steps" className="font-semibold text-md">
        {messages.dashboard.firstSteps}
      </h2>
      <ol className="mt-3 grid gap-2">
        <Step to={pages.addBuilding.path} icon={<Building2 size={18} />} text={messages.dashboard.addFirst} />
        <Step to={pages.import.path} icon={<Upload size={18} />} text={messages.dashboard.importFirst} />
        <Step
          to={pages.userManagement.path}
          icon={<UserPlus size={18} />}
          text={messages.dashboard.inviteFirst}
        />
      </ol>
    </section>
  );
}

function Step({ to, icon, text }: { to: string; icon: ReactNode; text: string }) {
  return (
    <li>
      <Link
        to={to}
        className="-mx-2 flex min-h-9 items-center gap-3 rounded-control px-2 text-brand hover:underline pointer-coarse:min-h-12"
      >
        <span aria-hidden>{icon}</span>
        {text}
      </Link>
    </li>
  );
}
