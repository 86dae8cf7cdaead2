export type PreviewKind = 'image' | 'pdf' | 'text' | 'audio' | 'video' | 'other';

/** Pictures that every browser draws. SVG is shown as text: it may hold scripts. */
const IMAGES = /^image\/(png|jpeg|gif|webp|avif)$/;
const AUDIO = /^audio\/(mpeg|mp4|ogg|wav|webm)$/;
const VIDEO = /^video\/(mp4|webm)$/;
const TEXTS =
  /^(text\/.+|application\/(json|xml|x-yaml|yaml|javascript|sql|rtf)|image\/svg\+xml|.+\+(json|xml))$/;
/** Name endings of text files for which the uploading browser may know no type. */
const TEXT_NAMES =
  /\.(txt|text|log|csv|tsv|md|markdown|json|xml|ya?ml|ini|conf|cfg|html?|css|js|ts|sql|svg|ics|vcf|eml|gpx|kml|geojson|ifc|dxf)$/i;

/** Names of pictures: if the content is no picture, the preview says that it failed. */
const IMAGE_NAMES = /\.(png|jpe?g|gif|webp|avif)$/i;

/** How a file is shown, by the type that the server found. Text is never run: it is drawn as text. */
export function previewKind(fileType: string | null, fileName: string): PreviewKind {
  const type = (fileType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (IMAGES.test(type)) return 'image';
  if (type === 'application/pdf') return 'pdf';
  if (AUDIO.test(type)) return 'audio';
  if (VIDEO.test(type)) return 'video';
  const isUnknown = type === '' || type === 'application/octet-stream';
  if (IMAGE_NAMES.test(fileName) && (isUnknown || type === 'text/plain')) return 'image';
  if (TEXTS.test(type)) return 'text';
  return isUnknown && TEXT_NAMES.test(fileName) ? 'text' : 'other';
}
