import { Fragment } from 'react';

/** An email address that wraps after its @ and before its dots; within a part only if the part is too long. */
export function EmailText({ email }: { email: string }) {
  return (
    <span className="[overflow-wrap:anywhere]">
      {email.split(/(?<=@)|(?=\.)/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part may repeat, and none moves
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
