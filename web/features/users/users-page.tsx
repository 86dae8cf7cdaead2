import { Building2, FileText, MapPin, Tags, Users } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { cx } from '../../ui/cx.ts';
import { Page } from '../../ui/page.tsx';
import { DisciplinesTab } from './disciplines-tab.tsx';
import { BuildingManagementCard, LocationManagementCard } from './place-cards.tsx';
import { UsersTab } from './users-tab.tsx';

const TABS = [
  { key: 'users', label: 'Users', icon: Users },
  { key: 'locations', label: 'Locations', icon: MapPin },
  { key: 'buildings', label: 'Buildings', icon: Building2 },
  { key: 'documents', label: 'Documents', icon: FileText },
  { key: 'disciplines', label: 'Disciplines', icon: Tags },
] as const;
type TabKey = (typeof TABS)[number]['key'];

/**
 * User Management with tabs for people, locations, buildings, documents and disciplines. The tab is in the URL.
 * @param documents the Document Management card
 */
export function UsersPage({ documents }: { documents: ReactNode }) {
  const [params, setParams] = useSearchParams();
  const present: TabKey = TABS.find(({ key }) => key === params.get('tab'))?.key ?? 'users';
  const list = useRef<HTMLDivElement>(null);

  // On a phone the row of tabs is wider than the screen, so the active tab is scrolled into view.
  useEffect(() => {
    const row = list.current;
    const tab = row?.querySelector<HTMLElement>(`#tab-${present}`);
    if (row == null || tab == null) return;
    row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }, [present]);

  function choose(key: TabKey) {
    setParams(key === 'users' ? {} : { tab: key });
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = TABS.findIndex(({ key }) => key === present);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    const next = to === undefined ? undefined : TABS[(to + TABS.length) % TABS.length];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.key);
    list.current?.querySelector<HTMLElement>(`#tab-${next.key}`)?.focus();
  }

  return (
    <Page back={{ to: '/dashboard', label: 'Back to Dashboard' }}>
      <div
        ref={list}
        role="tablist"
        aria-label="User Management"
        onKeyDown={onKeyDown}
        className="mb-4 flex gap-4 overflow-x-auto border-line border-b print:hidden"
      >
        {TABS.map(({ key, label, icon: Icon }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`tab-${key}`}
            aria-selected={key === present}
            aria-controls={`panel-${key}`}
            tabIndex={key === present ? 0 : -1}
            onClick={() => choose(key)}
            className={cx(
              'inline-flex h-10 shrink-0 items-center gap-2 border-b-2 px-1 pointer-coarse:h-12',
              key === present
                ? 'border-brand font-semibold text-brand'
                : 'border-transparent font-medium text-ink-2 hover:text-ink',
            )}
          >
            <Icon size={16} aria-hidden className="max-sm:hidden" />
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${present}`} aria-labelledby={`tab-${present}`}>
        {present === 'users' && <UsersTab />}
        {present === 'locations' && <LocationManagementCard />}
        {present === 'buildings' && <BuildingManagementCard />}
        {present === 'documents' && documents}
        {present === 'disciplines' && <DisciplinesTab />}
      </div>
    </Page>
  );
}
