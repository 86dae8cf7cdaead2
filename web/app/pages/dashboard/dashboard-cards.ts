import {
  BookOpenCheck,
  Boxes,
  Building2,
  ClipboardCheck,
  FolderOpen,
  TriangleAlert,
  UsersRound,
} from 'lucide-react';
import { labelOf, type Page, type PageWith, pageNames, pages } from '../../pages.ts';

export type Dashboard = NonNullable<Page['cardOn']>[number];

type Words = {
  text: string;
  icon: typeof UsersRound;
  /** Titles of the card on dashboards where it differs from the page's label. */
  labels?: Partial<Record<Dashboard, string>>;
};
type CardName = PageWith<{ cardOn: readonly Dashboard[] }>;

/** Text and icon of the card of each page that has one in the registry. */
const WORDS: Readonly<Record<CardName, Words>> = {
  logbook: {
    text: 'Safety check records and follow-up',
    icon: BookOpenCheck,
    labels: { viewer: 'Safety Check Logbook' },
  },
  operativeTasks: {
    text: 'Safety checks at your sites: what is due, and what is overdue',
    icon: ClipboardCheck,
  },
  locations: { text: 'Clients, their buildings and floors', icon: Building2 },
  assets: { text: 'Your assets and where they are', icon: Boxes },
  userManagement: { text: 'Roles and access to buildings', icon: UsersRound },
  documents: {
    text: 'Certificates, drawings and manuals of your buildings',
    icon: FolderOpen,
    labels: { desk: 'Document Management', viewer: 'Building Documents' },
  },
  buildingIssues: {
    text: 'Report and track maintenance issues and safety concerns',
    icon: TriangleAlert,
  },
};

export type DashboardCard = Pick<Words, 'text' | 'icon'> & { page: Page; label: string };

/** Returns the cards of a dashboard, in the order of the registry. */
export function cardsOn(dashboard: Dashboard): DashboardCard[] {
  return pageNames.filter(hasCard).flatMap((name) => {
    const page: Page = pages[name];
    if (page.cardOn?.includes(dashboard) !== true) return [];
    const { labels, ...words } = WORDS[name];
    return [{ page, label: labels?.[dashboard] ?? labelOf(page), ...words }];
  });
}

function hasCard(name: string): name is CardName {
  return name in WORDS;
}
