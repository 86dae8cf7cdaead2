import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { messages } from '#shared/messages.ts';

const PageTitle = createContext<string | null>(null);

/** Provides the page at an address with the title that belongs to the address. */
export function PageTitleProvider({ title, children }: { title: string | null; children: ReactNode }) {
  return <PageTitle value={title}>{children}</PageTitle>;
}

/**
 * Sets the title of the tab while the page is open: "Building Issues · Lintel".
 * @param own the title, if it differs from the title that belongs to the address
 * @returns the title, for the page itself
 */
export function usePageTitle(own?: string): string {
  const given = useContext(PageTitle);
  const title = own ?? given;
  useEffect(() => {
    document.title = title === null ? messages.app.name : `${title} · ${messages.app.name}`;
  }, [title]);
  return title ?? messages.app.name;
}
