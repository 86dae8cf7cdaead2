import {
  documentBin,
  documentList,
  documentRoot,
  folderTrail,
  oneDocument,
  taskCertificates,
} from './data/documents.live.ts';

export const liveQueries = [
  documentBin,
  documentList,
  documentRoot,
  folderTrail,
  oneDocument,
  taskCertificates,
] as const;
