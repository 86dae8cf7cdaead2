/** Control characters, and characters that change the direction of text or are invisible. */
const MISLEADING = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * The `Content-Disposition` of a file: the name in both forms of RFC 6266, without characters that could end the header,
 * lead out of a folder, or make the name look like another.
 */
export function contentDisposition(name: string, inline: boolean): string {
  const plain = name
    .replace(MISLEADING, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[/\\]/g, '_');
  const ascii = plain.replace(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(plain).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
