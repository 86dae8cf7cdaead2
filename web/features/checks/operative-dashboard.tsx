import { RaisedByMine } from './raised-by-mine.tsx';
import { useSites } from './use-register.ts';

/** On an operative's first page: what their checks raised. Meanwhile their sites are put on this phone. */
export default function OperativeDashboard() {
  useSites();
  return (
    <div className="mt-6">
      <RaisedByMine />
    </div>
  );
}
