import { Download } from 'lucide-react';
import { buttonStyle } from './button-style.ts';

type Props = { list: string; filter?: object; iconOnly?: boolean; what?: string };

/**
 * A link that downloads a list as a CSV file.
 * @param list the file's name without its extension
 * @param filter the list's present filter; left out of the address if empty
 * @param what distinguishes several lists on one screen
 * @param iconOnly whether to hide the words; if undefined, they are hidden on a phone beside other actions
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
