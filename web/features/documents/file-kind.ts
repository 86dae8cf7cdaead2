import {
  File,
  FileArchive,
  FileAudio,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  FileVideo,
  Mail,
  Presentation,
  Ruler,
  ScrollText,
} from 'lucide-react';

export type FileKind = {
  /** The common name of the kind, as shown to people. */
  name: string;
  icon: typeof File;
  /** The class that colours the icon, with a contrast of 3:1 or more to the surface. */
  colour: string;
};

const KINDS = {
  pdf: { name: 'PDF', icon: FileText, colour: 'text-folder-red' },
  picture: { name: 'Picture', icon: FileImage, colour: 'text-folder-purple' },
  spreadsheet: { name: 'Spreadsheet', icon: FileSpreadsheet, colour: 'text-folder-green' },
  words: { name: 'Word document', icon: FileType, colour: 'text-folder-blue' },
  slides: { name: 'Presentation', icon: Presentation, colour: 'text-folder-orange' },
  drawing: { name: 'Drawing', icon: Ruler, colour: 'text-folder-teal' },
  archive: { name: 'Archive', icon: FileArchive, colour: 'text-folder-yellow' },
  mail: { name: 'Email', icon: Mail, colour: 'text-folder-pink' },
  audio: { name: 'Audio', icon: FileAudio, colour: 'text-folder-pink' },
  video: { name: 'Video', icon: FileVideo, colour: 'text-folder-pink' },
  log: { name: 'Log file', icon: ScrollText, colour: 'text-folder-gray' },
  text: { name: 'Text file', icon: FileText, colour: 'text-folder-gray' },
  other: { name: 'File', icon: File, colour: 'text-folder-gray' },
} as const satisfies Record<string, FileKind>;

/** Kinds by file extension, which is more exact than a type not in {@link CERTAIN}. */
const BY_ENDING: readonly (readonly [RegExp, keyof typeof KINDS])[] = [
  [/\.pdf$/i, 'pdf'],
  [/\.(csv|tsv|xlsx?|xlsm|xlsb|ods|numbers)$/i, 'spreadsheet'],
  [/\.(docx?|docm|dotx?|odt|rtf|pages)$/i, 'words'],
  [/\.(pptx?|pptm|ppsx?|odp|key)$/i, 'slides'],
  [/\.(dwg|dxf|dgn|ifc|rvt|skp|vsdx?)$/i, 'drawing'],
  [/\.(zip|7z|rar|tar|gz|tgz|bz2|xz)$/i, 'archive'],
  [/\.(eml|msg)$/i, 'mail'],
  [/\.log$/i, 'log'],
];
const BY_TYPE: readonly (readonly [RegExp, keyof typeof KINDS])[] = [
  [/^application\/pdf/, 'pdf'],
  [/^image\//, 'picture'],
  [/^audio\//, 'audio'],
  [/^video\//, 'video'],
  [/spreadsheet|ms-excel|^text\/csv/, 'spreadsheet'],
  [/wordprocessing|msword|opendocument\.text|rtf/, 'words'],
  [/presentation|ms-powerpoint/, 'slides'],
  [/zip|compressed|x-tar/, 'archive'],
  [/^message\//, 'mail'],
  [/^text\/x-log/, 'log'],
  [/^text\/|json|xml|yaml/, 'text'],
];
/** Types that the server detects from the content, so they take precedence over the name. */
const CERTAIN = /^(application\/pdf|image|audio|video)\b/;

/** Returns the kind of a file, from the type detected by the server and from the file name. */
export function fileKind({ fileType, fileName }: { fileType: string | null; fileName: string }): FileKind {
  const type = (fileType ?? '').toLowerCase();
  const byType = BY_TYPE.find(([pattern]) => pattern.test(type))?.[1];
  if (byType !== undefined && CERTAIN.test(type)) return KINDS[byType];
  const byEnding = BY_ENDING.find(([pattern]) => pattern.test(fileName))?.[1];
  return KINDS[byEnding ?? byType ?? 'other'];
}
