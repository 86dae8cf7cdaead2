import { type ReactNode, Suspense } from 'react';

/** A photo for thumbnails and the viewer, from the server or still on this device only. */
export type ShownPhoto = {
  id: string;
  thumbnail: string;
  /** The full-size photo: a URL, or the bytes. */
  src?: string;
  blob?: Blob;
  alt: string;
  /** Time and photographer. */
  caption?: string;
  mayRemove?: boolean;
};

/** Suspense boundary without a placeholder, for lazily loaded parts. */
export function NoFallback({ children }: { children: ReactNode }) {
  return <Suspense fallback={null}>{children}</Suspense>;
}
