import type { DocumentView } from '../documents-url.ts';
import { DocumentGrid } from './document-grid.tsx';
import { DocumentList } from './document-list.tsx';
import type { DocumentRowsProps } from './document-rows-props.ts';

/** The items of a place as a grid or as a list. */
export function DocumentRows({ view, ...props }: DocumentRowsProps & { view: DocumentView }) {
  return view === 'grid' ? <DocumentGrid {...props} /> : <DocumentList {...props} />;
}
