import type { FolderColor } from '#shared/features/documents/documents.vocabulary.ts';

/** The class that colours an icon or a swatch; each has a contrast of 3:1 or more to the surface (styles.css). */
export const FOLDER_TEXT: Readonly<Record<FolderColor, string>> = {
  blue: 'text-folder-blue',
  green: 'text-folder-green',
  red: 'text-folder-red',
  purple: 'text-folder-purple',
  orange: 'text-folder-orange',
  yellow: 'text-folder-yellow',
  teal: 'text-folder-teal',
  pink: 'text-folder-pink',
  gray: 'text-folder-gray',
};
