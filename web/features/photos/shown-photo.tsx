import { type ReactNode, Suspense } from 'react';

/** A photo as the strip and the viewer show it, from the server or still on this device alone. */
export type ShownPhoto = {
  id: string;
  thumbnail: string;
  /** Where the large one is: an address, or the bytes themselves. */
  src?: string;
  blob?: Blob;
  alt: string;
  /** Who took it and when. */
  caption?: string;
  mayRemove?: boolean;
};

export function WaitingBadge({ children }: { children: ReactNode }) {
  return <Suspense fallback={null}>{children}</Suspense>;
}
