import { useEffect } from 'react';
import { messages } from '#shared/messages.ts';

/** Names the tab while the screen is open: "Building Issues · Lintel". */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? messages.app.name : `${title} · ${messages.app.name}`;
  }, [title]);
}
