import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import type { DocumentPlace } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { cx } from '../../../ui/cx.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { useBrowser } from './browser-context.ts';

export type Crumb = { key: string; name: string; place: DocumentPlace };

type Props = {
  /** The path to the opened place; its last step is the place itself. Undefined until it is known. */
  way: readonly Crumb[] | undefined;
  hrefOf: (place: DocumentPlace) => string;
};

/** The path from 'Disciplines' to the opened place. Documents can be dropped on each step. */
export function Breadcrumb({ way, hrefOf }: Props) {
  const steps: readonly Crumb[] = [
    { key: 'root', name: documentMessages.root, place: { at: 'building' } },
    ...(way ?? []),
  ];
  return (
    <nav aria-label="Folders" className="min-w-0">
      <ol className="flex flex-wrap items-center gap-x-0.5 text-ink-2">
        {steps.map((step, index) => (
          <Fragment key={step.key}>
            {index > 0 && (
              <li aria-hidden>
                <ChevronRight size={15} className="text-ink-3" />
              </li>
            )}
            <Step
              step={step}
              href={hrefOf(step.place)}
              isCurrent={way !== undefined && index === steps.length - 1}
            />
          </Fragment>
        ))}
        {way === undefined && (
          <li>
            <Skeleton className="ml-2 h-5 w-28" />
          </li>
        )}
      </ol>
    </nav>
  );
}

function Step({ step, href, isCurrent }: { step: Crumb; href: string; isCurrent: boolean }) {
  const { drag } = useBrowser();
  return (
    <li className="min-w-0 max-w-full" {...drag.target(step.place)}>
      <Link
        to={href}
        aria-current={isCurrent ? 'page' : undefined}
        draggable={false}
        className={cx(
          'block max-w-64 truncate rounded-control px-1.5 py-1 pointer-coarse:py-3',
          'in-data-[drop=over]:bg-brand-soft in-data-[drop=over]:text-brand',
          isCurrent ? 'font-semibold text-ink' : 'hover:text-ink hover:underline',
        )}
      >
        {step.name}
      </Link>
    </li>
  );
}
