import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import type { Contents, DisciplineContents, Document } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';

const some = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

/** Texts that depend on the number and kind of the documents. */
export const documentText = {
  /** "3 folders and 41 files"; a count of zero is left out, but two zeros give "0 files". */
  contents({ files, folders }: Pick<Contents, 'files' | 'folders'>): string {
    if (folders === 0) return some(files, 'file');
    return files === 0 ? some(folders, 'folder') : `${some(folders, 'folder')} and ${some(files, 'file')}`;
  },

  /** @param renamed the documents that got a number, because their names were taken in the new place */
  moved(count: number, renamed: readonly { fileName: string }[]): string {
    const [first, ...others] = renamed;
    const said = count === 1 ? documentMessages.moved : browserMessages.movedMany(count);
    if (first === undefined) return said;
    return `${said}. ${others.length === 0 ? browserMessages.keptAs(first.fileName) : browserMessages.numbered(renamed.length)}`;
  },

  removed(documents: readonly Pick<Document, 'isFolder'>[]): { success: string; failure: string } {
    const allFolders = documents.every(({ isFolder }) => isFolder);
    const failure = allFolders ? documentMessages.folderDeleteFailed : documentMessages.deleteFailed;
    if (documents.length > 1) return { success: browserMessages.deletedMany(documents.length), failure };
    return { success: allFolders ? documentMessages.folderDeleted : documentMessages.deleted, failure };
  },

  /** The counts under the name of a discipline. */
  held({ files, folders }: Pick<DisciplineContents, 'files' | 'folders'>): string {
    return files + folders === 0 ? browserMessages.empty : documentText.contents({ files, folders });
  },
};
