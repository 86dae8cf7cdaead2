import type { ReactNode } from 'react';

/** The row of buttons at the foot of a dialog or form: the primary one last, full width on a phone. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="mt-5 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end max-sm:[&>*]:w-full">
      {children}
    </div>
  );
}
