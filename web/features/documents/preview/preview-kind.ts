export type PreviewKind = 'image' | 'pdf' | 'text' | 'audio' | 'video' | 'other';

/** Picture types that every browser can draw. SVG is shown as text, because it may contain scripts. */
const IMAGES = /^image\/(png|jpeg|gif|webp|avif)$/;
const AUDIO = /^audio\/(mpeg|mp4|ogg|wav|webm)$/;
const VIDEO = /^video\/(mp4|webm)$/;
const TEXTS =
  /^(text\/.+|application\/(json|xml|x-yaml|yaml|javascript|sql|rtf)|image\/svg\+xml|.+\+(json|xml))$/;
/** Extensions of text files whose type the uploading browser may not know. */
const TEXT_NAMES =
  /\.(txt|text|log|csv|tsv|md|markdown|json|xml|ya?ml|ini|conf|cfg|html?|css|js|ts|sql|svg|ics|vcf|eml|gpx|kml|geojson|ifc|dxf)$/i;

/** Extensions of pictures. If the content is not a picture, the image preview shows an error. */
const IMAGE_NAMES = /\.(png|jpe?g|gif|webp|avif)$/i;

/** Returns the kind of preview, from the type detected by the server and the file name. Text is shown, never executed. */
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
