import { type ReactNode, useId } from 'react';
import { pulseMessages } from '#shared/features/pulse/pulse-messages.ts';
import { formatNumber } from '#shared/format-number.ts';

type Props = {
  title: string;
  /** The content of the picture, in words. */
  text: string;
  /** The same data as a table, for people who cannot see the picture or want the numbers. */
  table?: ReactNode;
  children: ReactNode;
};

/** A small picture with title, text and table. */
export function Picture({ title, text, table, children }: Props) {
  const id = useId();
  return (
    <figure aria-labelledby={id} className="m-0 flex min-w-0 flex-col p-4">
      <figcaption>
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        <p className="text-ink-2 text-sm">{text}</p>
      </figcaption>
      <div className="mt-3">{children}</div>
      {table !== undefined && (
        <details className="mt-2">
          <summary className="inline-flex min-h-9 cursor-pointer items-center text-brand text-sm hover:underline pointer-coarse:min-h-12">
            {pulseMessages.asTable}
          </summary>
          {table}
        </details>
      )}
    </figure>
  );
}

/** A table of numbers: a name in each row, and a number in each further column. */
export function NumberTable({
  head,
  rows,
}: {
  head: readonly string[];
  rows: readonly { name: string; numbers: readonly number[] }[];
}) {
  return (
    <table className="w-full text-sm">
      <thead>
        <tr>
          {head.map((name, at) => (
            <th
              key={name}
              scope="col"
              className={at === 0 ? 'py-1 text-left font-medium' : 'py-1 text-right font-medium'}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, numbers }) => (
          <tr key={name} className="border-line border-t">
            <th scope="row" className="py-1 text-left font-normal">
              {name}
            </th>
            {numbers.map((number, at) => (
              <td key={head[at + 1]} className="py-1 text-right tabular-nums">
                {formatNumber(number)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
