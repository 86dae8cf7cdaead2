import { Fragment } from 'react';

/** A day, "Nov 27, 2026", or a reference, "HAR-0003", which a browser breaks after its hyphen. */
const WHOLE = /(\b[A-Z][a-z]{2} \d{2}, \d{4}\b|\b[A-Z][A-Z0-9]*(?:-[A-Z]*\d+)+\b)/;

/** A text whose days and references stand on one line each, wherever it wraps. */
export function Unbroken({ text }: { text: string }) {
  return text.split(WHOLE).map((part, index) =>
    // A pattern with a group splits so that each second part is what it matched.
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
