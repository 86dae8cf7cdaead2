import { documentBin, documentList, documentRoot, folderTrail, oneDocument } from './documents.live.ts';

export const liveQueries = [documentBin, documentList, documentRoot, folderTrail, oneDocument] as const;
