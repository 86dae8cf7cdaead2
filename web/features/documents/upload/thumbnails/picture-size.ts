/** Number of bytes read, enough for the headers: a JPEG may have a large profile or thumbnail before its size. */
const HEAD_BYTES = 256 * 1024;

/**
 * Reads width and height from the header of a PNG, GIF, WebP or JPEG, without decoding, because a few kilobytes can
 * expand to gigabytes. Undefined for any other file.
 */
export async function pictureSize(file: Blob): Promise<{ width: number; height: number } | undefined> {
  const view = new DataView(await file.slice(0, HEAD_BYTES).arrayBuffer());
  try {
    if (view.getUint32(0) === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) };
    if (view.getUint32(0) === 0x47494638)
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (view.getUint32(0) === 0x52494646 && view.getUint32(8) === 0x57454250) return webpSize(view);
    if (view.getUint16(0) === 0xffd8) return jpegSize(view);
  } catch (error) {
    // The header is incomplete.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

function webpSize(view: DataView): { width: number; height: number } | undefined {
  const u24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  switch (view.getUint32(12)) {
    case 0x56503858: // VP8X
      return { width: u24(24) + 1, height: u24(27) + 1 };
    case 0x56503820: // VP8, lossy
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // VP8L, lossless: 14 bits each
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    default:
      return undefined;
  }
}

/** The first frame header (SOF) among a JPEG's segments. */
function jpegSize(view: DataView): { width: number; height: number } | undefined {
  for (let at = 2; at < view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker < 0xff01) return undefined;
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return undefined;
}
