import { Archive, ArchiveRestore, Copy, Info, Pencil, QrCode, SearchX } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { formatDate } from '#shared/dates.ts';
import { mayBeHot } from '#shared/features/assets/asset-types.ts';
import type { Asset } from '#shared/features/assets/assets.ts';
import { ASSET_FREQUENCY_LABELS } from '#shared/features/assets/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { Can } from '../../lib/can.tsx';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import { uuidOrNull } from '../../lib/uuid-or-null.ts';
import { HistoryList } from '../../live/history-list.tsx';
import { useHighlight } from '../../live/hooks/use-highlight.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { usePending } from '../../live/hooks/use-pending.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { preloadDialog } from '../../ui/dialogs/dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { PendingDot } from '../../ui/feedback/pending-dot.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Page } from '../../ui/page.tsx';
import { lastVisitText, RetiredBadge, typeText } from './asset-labels.tsx';
import { assetPath, labelsPath } from './asset-paths.ts';
import { assetHistory, oneAsset } from './assets.live.ts';
import { describeHistoryEntry } from './describe-asset-history.ts';
import { useAssetCommands } from './use-asset-commands.ts';

const EditAssetDialog = lazy(() => import('./edit-asset-dialog.tsx'));
const BACK = { to: '/asset-management', label: 'Asset Management' };

/** Page of one asset with its details and history. */
export default function AssetPage() {
  const id = uuidOrNull(useParams()['id'] ?? null);
  return id === null ? <NoAsset /> : <KnownAsset key={id} id={id} />;
}

function KnownAsset({ id }: { id: string }) {
  const { data: asset, status, error, refetch } = useLiveQuery(oneAsset, { id });
  if (asset === null || wireErrorOf(error)?.code === 'not_found') return <NoAsset />;
  if (status === 'error') {
    return (
      <Page back={BACK}>
        <ErrorState title={messageFor(error, assetMessages.loadFailed)} error={error} onRetry={refetch} />
      </Page>
    );
  }
  if (asset === undefined) {
    return (
      <Page back={BACK}>
        <Skeleton className="h-64" />
      </Page>
    );
  }
  return <AssetDetails asset={asset} />;
}

function AssetDetails({ asset }: { asset: Asset }) {
  const [editing, setEditing] = useState(false);
  const pending = usePending('asset', asset.id);
  const glow = useHighlight('asset', asset.id);
  const retired = asset.retiredAt !== null;
  return (
    <Page
      title={asset.name}
      subtitle={
        <span className="flex flex-wrap items-center gap-2">
          {typeText(asset)}
          {retired && <RetiredBadge />}
          {pending && <PendingDot />}
        </span>
      }
      back={BACK}
      actions={<AssetButtons asset={asset} onEdit={() => setEditing(true)} />}
    >
      {asset.retiredAt !== null && (
        <p className="mb-4 rounded-card bg-mute px-4 py-3 text-ink-2">
          Retired on {formatDate(asset.retiredAt)}. Its record is kept.
        </p>
      )}
      {mayBeHot(asset) && (
        <p className="mb-4 flex gap-2 rounded-card bg-due-soft px-4 py-3 text-due">
          <Info size={18} aria-hidden className="mt-0.5 shrink-0" />
          {assetMessages.mayBeHot}
        </p>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[3fr_2fr]">
        <Card className={cx('p-4 sm:p-5', glow !== undefined && 'outline-2 outline-brand')}>
          <p className="mb-4 text-ink text-md [overflow-wrap:anywhere]">{asset.description}</p>
          <dl className="grid gap-x-6 gap-y-3.5 sm:grid-cols-2">
            <Fact name="Building">{asset.buildingName}</Fact>
            <Fact name="Floor">{asset.floorName ?? '—'}</Fact>
            <Fact name="Room">{asset.roomName}</Fact>
            <Fact name="Type">{typeText(asset)}</Fact>
            <Fact name="Quantity">{asset.quantity}</Fact>
            <Fact name="Frequency">{ASSET_FREQUENCY_LABELS[asset.frequency]}</Fact>
            <Fact name="Last visit">{lastVisitText(asset)}</Fact>
            <Fact name="Added">{formatDate(asset.createdAt)}</Fact>
          </dl>
        </Card>
        <Card className="p-4 sm:p-5">
          <section aria-labelledby="asset-history" className="min-w-0">
            <h2 id="asset-history" className="mb-3 font-semibold text-ink text-md">
              History
            </h2>
            <HistoryList
              query={assetHistory}
              id={asset.id}
              describeHistoryEntry={describeHistoryEntry}
              failed={assetMessages.loadFailed}
              nothing="Nothing has changed since the asset was brought in."
            />
          </section>
        </Card>
      </div>
      <Suspense fallback={null}>
        {editing && <EditAssetDialog id={asset.id} asset={asset} onClose={() => setEditing(false)} />}
      </Suspense>
    </Page>
  );
}

function AssetButtons({ asset, onEdit }: { asset: Asset; onEdit: () => void }) {
  const { duplicate, setRetired } = useAssetCommands();
  const navigate = useNavigate();
  const retired = asset.retiredAt !== null;
  async function copy() {
    const id = await duplicate(asset);
    if (id !== undefined) void navigate(assetPath(id));
  }
  return (
    <>
      <ButtonLink to={labelsPath([asset.id])}>
        <QrCode size={16} aria-hidden />
        QR label
      </ButtonLink>
      <Can permission="create_assets">
        <Button onClick={() => void copy()}>
          <Copy size={16} aria-hidden />
          Duplicate
        </Button>
      </Can>
      <Can permission="edit_assets">
        <Button onClick={() => void setRetired(asset, !retired)}>
          {retired ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
          {retired ? 'Restore' : 'Retire'}
        </Button>
        {!retired && (
          <Button variant="primary" onClick={onEdit} onPointerEnter={preloadDialog}>
            <Pencil size={16} aria-hidden />
            Edit
          </Button>
        )}
      </Can>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-2 text-sm">{name}</dt>
      <dd className="text-ink tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function NoAsset() {
  return (
    <Page back={BACK}>
      <EmptyState
        icon={<SearchX size={20} />}
        title={assetMessages.gone}
        action={<ButtonLink to={BACK.to}>{BACK.label}</ButtonLink>}
      />
    </Page>
  );
}
