import { Building2 } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { formatWeekdayDate } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { cx } from '../../../ui/cx.ts';
import { InsetError, InsetField, insetControl } from '../../../ui/fields/inset-field.tsx';
import { Picker } from '../../../ui/fields/picker.tsx';
import type { DueSites } from '../due/due-sites.ts';
import { siteOptions } from './site/site-options.ts';

type Site = { id: string; name: string; clientName: string };

type Props = {
  sites: readonly Site[];
  status: 'loading' | 'error' | 'ready';
  /** Error message when the sites could not be loaded. */
  failure: string;
  onRetry: () => void;
  /** Sites where the check is due; undefined when not known. */
  due: DueSites | undefined;
  /** Sites visited today, most recent first. */
  round: readonly string[];
  siteId: string | undefined;
  /** Standing of the check at the selected site. */
  siteNote: ReactNode;
  onSite: (id: string) => void;
  visitDate: string;
  today: string;
  onDate: (day: string) => void;
  operativeName: string;
  onName: (name: string) => void;
  errors: { site?: string | undefined; visitDate?: string | undefined; operativeName?: string | undefined };
};

/** Site, date and operative: the same fields in every form, carried from one to the next. */
export function FormHead(props: Props) {
  const { sites, due, round, siteId, visitDate, errors } = props;
  const options = useMemo(() => siteOptions(sites, due, round), [sites, due, round]);
  return (
    <div className="grid gap-2.5">
      <div>
        <Picker
          inset
          large
          note={props.siteNote}
          label="Site"
          options={options}
          value={siteId}
          onChange={props.onSite}
          placeholder={formMessages.selectSite}
          searchLabel="Search sites..."
          nothingFound={sites.length === 0 ? formMessages.noSites : formMessages.noSiteMatches}
          status={props.status}
          errorText={props.failure}
          onRetry={props.onRetry}
          icon={<Building2 size={20} aria-hidden className="text-ink-2" />}
          invalid={errors.site !== undefined}
          describedBy={errors.site === undefined ? undefined : 'site-error'}
        />
        <InsetError id="site-error" error={errors.site} />
      </div>
      <div className="grid grid-cols-2 items-start gap-2.5">
        <InsetField label="Date" error={errors.visitDate}>
          {(control) => (
            <span className="relative block">
              {/* Touch devices show a formatted date below the invisible native input, which opens the system's
                  calendar. */}
              <span
                aria-hidden
                className={cx(
                  'pointer-fine:hidden truncate font-medium text-md',
                  visitDate === '' && 'text-ink-3',
                )}
              >
                {visitDate === '' ? 'Choose' : formatWeekdayDate(visitDate).replace(/ \d{4}$/, '')}
              </span>
              <input
                {...control}
                type="date"
                required
                max={props.today}
                value={visitDate}
                onChange={(event) => props.onDate(event.target.value)}
                className={cx(
                  insetControl,
                  'pointer-coarse:absolute pointer-coarse:inset-0 pointer-coarse:opacity-0',
                )}
              />
            </span>
          )}
        </InsetField>
        <InsetField label="Operative" error={errors.operativeName}>
          {(control) => (
            <input
              {...control}
              type="text"
              autoComplete="name"
              maxLength={200}
              value={props.operativeName}
              onChange={(event) => props.onName(event.target.value)}
              className={insetControl}
            />
          )}
        </InsetField>
      </div>
    </div>
  );
}
