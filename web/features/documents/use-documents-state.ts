import { useCallback } from 'react';
import { useUrlState } from '../../ui/use-url-state.ts';
import { type DocumentsState, documentsUrl } from './documents-url.ts';

export type ChangeDocumentsState = (patch: Partial<DocumentsState>, options?: { replace?: boolean }) => void;

/**
 * State of a document browser, stored in the URL only.
 * @param around the URL parameters of the screen that contains the browser; must be the same object at each render
 */
export function useDocumentsState(around?: Readonly<Record<string, string>>) {
  const { state, change, open: openWith, close: closeWith, hrefOf } = useUrlState(documentsUrl, { around });
  const open = useCallback((document: string) => openWith({ document }), [openWith]);
  const close = useCallback(() => closeWith({ document: null }), [closeWith]);
  return { state, change, open, close, hrefOf };
}

export type DocumentsNavigation = ReturnType<typeof useDocumentsState>;
