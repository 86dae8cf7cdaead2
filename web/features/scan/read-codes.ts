/** Looks for a QR code in the current video frame; undefined when there is none. */
export type CodeReader = (video: HTMLVideoElement) => Promise<string | undefined>;

type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

/** Longest side of the decoded picture, in pixels: enough for a label held before a phone, and fast on a slow one. */
const SIDE = 720;

/** Uses the browser's `BarcodeDetector` where available; otherwise loads a decoder. */
export async function createCodeReader(): Promise<CodeReader> {
  // The cast: `BarcodeDetector` is missing from TypeScript's DOM types and from some browsers.
  const own = Reflect.get(globalThis, 'BarcodeDetector') as DetectorClass | undefined;
  const formats: readonly string[] = (await own?.getSupportedFormats().catch(() => [])) ?? [];
  if (own !== undefined && formats.includes('qr_code')) {
    const detector = new own({ formats: ['qr_code'] });
    return async (video) => (await detector.detect(video))[0]?.rawValue;
  }
  return ours();
}

async function ours(): Promise<CodeReader> {
  const { decodeQR } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const scale = Math.min(1, SIDE / Math.max(video.videoWidth, video.videoHeight));
    const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
    if (context === null || width === 0 || height === 0) return undefined;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    context.drawImage(video, 0, 0, width, height);
    try {
      return decodeQR(context.getImageData(0, 0, width, height));
    } catch {
      // The decoder throws when there is no code.
      return undefined;
    }
  };
}
