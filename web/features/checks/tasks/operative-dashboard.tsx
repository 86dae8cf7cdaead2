import { DueList } from './due-list.tsx';
import { RaisedByMine } from './raised-by-mine.tsx';

/** On an operative's first page: what is due, and what their checks raised. Meanwhile their sites are put on this phone. */
export default function OperativeDashboard() {
  return (
    <div className="mt-6">
      <DueList />
      <RaisedByMine />
    </div>
  );
}
