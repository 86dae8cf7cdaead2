import { useEffect } from 'react';
import { messages } from '#shared/messages.ts';

/** Sets the tab's title while mounted: "Building Issues · Lintel". */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? messages.app.name : `${title} · ${messages.app.name}`;
  }, [title]);
}
