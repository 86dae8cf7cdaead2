import { Navigate, useParams } from 'react-router-dom';
import { assetPath } from '../../features/assets/asset-paths.ts';
import { useSession } from '../../features/session/session-context.ts';
import { usePermissions } from '../../lib/can.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { pages } from '../pages.ts';

const AssetCheck = lazyScreen(() => import('../../features/checks/tasks/asset-check.tsx'));

/**
 * Page that the QR code on a label opens: the asset for people who may see assets, for others its next check (ruling
 * A18).
 */
export default function AssetLink() {
  const { can } = usePermissions();
  const { offline } = useSession();
  const { id = '' } = useParams();
  const assetId = id.toLowerCase();
  // The asset page needs the server. Without a connection, people who may record checks get the check form instead.
  const mayCheck = can('create_operative_tasks');
  const cutOff = offline || !navigator.onLine;
  if (can('view_assets') && !(cutOff && mayCheck)) return <Navigate to={assetPath(assetId)} replace />;
  return mayCheck ? <AssetCheck id={assetId} /> : <Navigate to={pages.dashboard.path} replace />;
}
