import { Printer, QrCode as QrIcon } from 'lucide-react';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Asset } from '#shared/features/assets/assets.ts';
import { ASSET_SELECTION_MAX } from '#shared/features/assets/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { plural } from '#shared/text/plural.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { uuidOrNull } from '../../lib/uuid-or-null.ts';
import { useLiveList } from '../../live/hooks/use-live-list.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Page } from '../../ui/page.tsx';
import { typeText } from './asset-labels.tsx';
import { labelledAssets, someAssets } from './assets.live.ts';
import { assetsUrl, toAssetFilter, toAssetOrder } from './assets-url.ts';
import './labels.css';
import { QrCode } from '../../ui/qr-code.tsx';

const PER_SHEET = 21;

/**
 * Printable sheets of QR labels, for a selection (`?ids=`) or for all assets of the table's filter (`?all`). Each code
 * links to its asset.
 */
export default function AssetLabelsPage() {
  const [params] = useSearchParams();
  const all = params.get('all') !== null;
  const ids = useMemo(() => idsIn(params.get('ids')), [params]);
  const state = useMemo(() => assetsUrl.read(params), [params]);
  const selection = useLiveQuery(someAssets, { ids }, { enabled: !all && ids.length > 0 });
  const listed = useLiveList(
    labelledAssets,
    { filter: toAssetFilter(state), order: toAssetOrder(state) },
    { enabled: all },
  );
  const { status, error, refetch } = all ? listed : selection;
  const found = all ? listed.page?.rows : selection.data;
  const assets = found?.slice(0, ASSET_SELECTION_MAX);
  const cut = all && (listed.hasMore || (found !== undefined && found.length > ASSET_SELECTION_MAX));
  const back = assetsUrl.write(state).toString();
  const none = (!all && ids.length === 0) || assets?.length === 0;

  return (
    <Page
      subtitle="For A4 sheets of 21 labels, 63.5 × 38.1 mm. Print at 100%, without margins."
      back={{ to: `/asset-management${back === '' ? '' : `?${back}`}`, label: assetMessages.title }}
      actions={
        <Button variant="primary" disabled={none || assets === undefined} onClick={() => window.print()}>
          <Printer size={16} aria-hidden />
          {assets === undefined ? 'Print' : `Print ${plural(assets.length, 'label')}`}
        </Button>
      }
    >
      {none ? (
        <EmptyState
          icon={<QrIcon size={20} />}
          title={assetMessages.labelsNone}
          action={<ButtonLink to="/asset-management">{assetMessages.title}</ButtonLink>}
        />
      ) : status === 'error' ? (
        <ErrorState title={messageFor(error, assetMessages.loadFailed)} error={error} onRetry={refetch} />
      ) : assets === undefined ? (
        <Skeleton className="h-96" />
      ) : (
        <>
          {cut && (
            <p className="mb-3 rounded-card bg-mute px-4 py-2.5 text-ink-2 print:hidden">
              {assetMessages.labelsBounded(assets.length)}
            </p>
          )}
          <Sheets assets={assets} />
        </>
      )}
    </Page>
  );
}

function Sheets({ assets }: { assets: readonly Asset[] }) {
  const sheets = Array.from({ length: Math.ceil(assets.length / PER_SHEET) }, (_, sheet) =>
    assets.slice(sheet * PER_SHEET, (sheet + 1) * PER_SHEET),
  );
  return (
    <div data-labels="" className="grid gap-6 overflow-x-auto">
      {sheets.map((sheet, index) => (
        <section
          key={sheet[0]?.id ?? index}
          aria-label={`Sheet ${index + 1}`}
          className="label-sheet rounded-card border border-line"
        >
          {sheet.map((asset) => (
            <Label key={asset.id} asset={asset} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Label({ asset }: { asset: Asset }) {
  return (
    <article className="flex items-center gap-[2.5mm] overflow-hidden p-[2.5mm]">
      <div className="size-[30mm] shrink-0">
        <QrCode text={`${window.location.origin}/a/${asset.id}`} />
      </div>
      <div className="min-w-0 text-[8pt] leading-tight [overflow-wrap:anywhere]">
        <p className="line-clamp-4 font-semibold text-[9.5pt]">{asset.name}</p>
        <p className="mt-[1mm] line-clamp-2">{asset.buildingName}</p>
        <p className="line-clamp-2">{asset.location}</p>
        <p className="mt-[1mm] line-clamp-1">{typeText(asset)}</p>
      </div>
    </article>
  );
}

/** Parses a comma-separated list of ids, without duplicates and invalid ones, up to the maximum of one print. */
function idsIn(text: string | null): string[] {
  const ids = (text ?? '').split(',').flatMap((part) => uuidOrNull(part) ?? []);
  return [...new Set(ids)].slice(0, ASSET_SELECTION_MAX);
}
