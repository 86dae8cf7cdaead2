import { Download } from 'lucide-react';
import { buttonStyle } from '../buttons/button-style.ts';

/**
 * The address of a list as a CSV file.
 * @param list the file's name without its extension
 * @param filter the list's present filter; left out of the address if empty
 */
export function exportAddress(list: string, filter: object = {}): string {
  const text = JSON.stringify(filter);
  return `/files/export/${list}.csv${text === '{}' ? '' : `?filter=${encodeURIComponent(text)}`}`;
}

type Props = { list: string; filter?: object; iconOnly?: boolean; what?: string };

/**
 * A link that downloads a list as a CSV file.
 * @param what distinguishes several lists on one screen
 * @param iconOnly whether to hide the words; if undefined, they are hidden on a phone beside other actions
 */
export function ExportLink({ list, filter, iconOnly, what }: Props) {
  const label = what === undefined ? 'Export CSV' : `Export ${what} CSV`;
  return (
    <a href={exportAddress(list, filter)} download title={label} className={buttonStyle('secondary')}>
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
