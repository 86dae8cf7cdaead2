import { createContext } from 'react';

/** Functions that a dialog offers to its content. */
export type DialogAround = {
  close: () => void;
  /** Makes the dialog ask before it closes, because typed values would be lost. */
  setDirty: (dirty: boolean) => void;
};
export const DialogContext = createContext<DialogAround | undefined>(undefined);
