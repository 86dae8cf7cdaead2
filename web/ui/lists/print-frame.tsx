import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { onFirstInteraction } from '../../lib/first-interaction.ts';
import { useDelayedPrint, usePrintAsked, useRowsForPrint } from './print-request.ts';
import type { MoreRows } from './use-load-more.ts';
import { usePrinting } from './use-printing.ts';

type Props = Partial<MoreRows> & {
  /** The number of loaded rows. */
  loaded: number;
  /** Printed instead of the children. */
  printed: ReactNode;
  /** Fetches the code of `printed`, if it is not loaded with the page. Never rejects. */
  preload?: () => Promise<unknown>;
  children: ReactNode;
};

const nothing = () => undefined;

/** Shows its children on the screen and something else on paper. */
export function PrintFrame(props: Props) {
  const { loaded, printed, preload, children, hasMore = false, isLoadingMore = false } = props;
  const [isReady, setReady] = useState(preload === undefined);
  const isPrinting = usePrinting() && isReady;
  useRowsForPrint({ hasMore, isLoadingMore, loadMore: props.loadMore ?? nothing }, loaded);
  useDelayedPrint(!isReady);
  // A print can be requested before the list has loaded, and the person may not interact with the page afterwards.
  const isAsked = usePrintAsked();
  useEffect(() => {
    if (preload === undefined || isReady) return;
    const load = () => void preload().then(() => setReady(true));
    return isAsked ? load() : onFirstInteraction(load);
  }, [preload, isReady, isAsked]);
  return (
    <>
      {/* Hidden without a change of the list's layout, because such a change would make a list lose its scroll position. */}
      <div
        className={isPrinting ? 'print:invisible print:absolute print:h-0 print:overflow-hidden' : 'contents'}
      >
        {children}
      </div>
      {isPrinting && <Suspense fallback={null}>{printed}</Suspense>}
    </>
  );
}
