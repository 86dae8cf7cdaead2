import { DueList } from './due-list.tsx';
import { RaisedByMine } from './raised-by-mine.tsx';

/**
 * The operative's dashboard: due checks and the issues their checks raised. Rendering it also stores the sites'
 * registers for offline use.
 */
export default function OperativeDashboard() {
  return (
    <div className="mt-6">
      <DueList />
      <RaisedByMine />
    </div>
  );
}
