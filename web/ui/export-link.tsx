import { Download } from 'lucide-react';
import { buttonStyle } from './button-style.ts';

type Props = { list: string; filter?: object; iconOnly?: boolean; what?: string };

/**
 * Fetches what a list shows as a file.
 * @param list the file's name without its ending
 * @param filter what narrows the list now; left out of the address where it narrows nothing
 * @param what which of several lists on one screen it is
 * @param iconOnly whether there is no room for words; unsaid, on a phone beside other actions
 */
export function ExportLink({ list, filter = {}, iconOnly, what }: Props) {
  const text = JSON.stringify(filter);
  const label = what === undefined ? 'Export CSV' : `Export ${what} CSV`;
  const query = text === '{}' ? '' : `?filter=${encodeURIComponent(text)}`;
  return (
    <a href={`/files/export/${list}.csv${query}`} download title={label} className={buttonStyle('secondary')}>
      <Download size={16} aria-hidden />
      <span
        className={
          iconOnly === undefined ? 'max-sm:[:not(:only-child)>&]:sr-only' : iconOnly ? 'sr-only' : undefined
        }
      >
        {label}
      </span>
    </a>
  );
}
