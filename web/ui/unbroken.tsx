import { Fragment } from 'react';

/** A day, "Nov 27, 2026", or a reference, "HAR-0003", which a browser breaks after its hyphen. */
const WHOLE = /(\b[A-Z][a-z]{2} \d{2}, \d{4}\b|\b[A-Z][A-Z0-9]*(?:-[A-Z]*\d+)+\b)/;

/** A text that never wraps inside a day or a reference. */
export function Unbroken({ text }: { text: string }) {
  return text.split(WHOLE).map((part, index) =>
    // The pattern has a group, so every second part of the split text is a match.
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
