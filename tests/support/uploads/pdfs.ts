import { createHash } from 'node:crypto';

// PDFs as scanners and other programs make them.

/** A grey picture of 240 by 120 pixels in JPEG 2000. */
const JPEG_2000 =
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAeAAAAPAAAQcHAAAAAAAPY29scgEAAAAAABEA' +
  'AAVhanAyY/9P/1EAKQAAAAAA8AAAAHgAAAAAAAAAAAAAAPAAAAB4AAAAAAAAAAAAAQcBAf9SAAwAAAABAAUEBAAB/1wAE0BASEhQSEhQ' +
  'SEhQSEhQSEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAAE4AAB/5PfgSAOeNaOpRZHx2xIA9Hc' +
  'pusnSEXNncv21UzoHspWl7haRyr2ZejPwGb8ySPwGRiplVecbcqiuvfOiORq32VemRYAmUsKXWkZvm2VZkxF9Q5yjCBgOkZkp2WknJh1' +
  '53PGySeCWH3EatmUYiMBI8KW6/isUipQW1dtD0wImAXOuzAN/yDPz8DmfgnQ+0qAGGy3+I+w7Xrw7VOGglK6YSoM4i48KqB/JocVhEtF' +
  'Yz1MENiRP+BiNucAzWLufy3K2n4kIw38/3jhGxEMjH9NquAZEbzQlPaYfOrsdHVHpdX1gMBykjoDuxTTBTLgNjzswB9KlWABz1jqJ36v' +
  '4AsgABQcSIFLrqlwC438aEh2XlWe/gGGTJOPFfu3dwn27kJIhfPdFgs1OeQpr7V8iORJJkZqw+CsVJktK9yqlenPtv9/x9qzPwoOD6is' +
  'H7tpLnyINjWSzLMDBNyslZdqnHQ38FTmHaaw97tcP1Mvq1hVzYeklqYT9BBc4E+ZIWxFhtavSv9EwE4mapJ/NeBK0n3k1SoNrJDWj/k1' +
  'odgRZce1HK35fH+Su+Vg9YWODGe4g9zqsS2oKqQC4u8mhRDTXpbXCPKAJRfTvoPbKwkJzt/rX9CNkYMSk8LzMNKgAAACQAgAEqJCQD2A' +
  'wAAAAAJcD2KbSxnxN7/jOY6nSjo5IwyVFEBAAAygDtbMTs66gqRGigJy+X11PxAqrFgbygBBo1VVvPKpQAAABZGp9zpoGeAU4iIlnIyy' +
  'UV4tywfonhQMwt9fpfy1tjY5T/7+HKAPvVmjp7/PwZZ+FLQ+0kCu+I3yLrpmvnoLoZ3TD773bM1dN5m9QdxEbjPXOxyTeVqvS2OCOuEl' +
  'bS0rZXqOyyrKgWvbiiCG09HZbFf9Znn3lwIc+35k3VS7oLIbiAJDBpLn2/Mm6Qvsn3walawVGXxXUZgkP7C06gW5wUO2FCzRpSsncw1e' +
  'JBwMTLl6G+auycp0eNoYmCjrcoiliwRYsAAAAAMJBbcDGPFDB7CYSDz+ZEqll0+63P1QMu5HVESwvrpPtSswi1Bd68KleeyMMlQAAHEp' +
  'qmjhMI39u3EJcKRClvUOC8+DZGGSoAAOH86JlhHCJ+JCXD1FdHxwNkYZKgAAFD57YDCPO05kJa5q2eozvnK414g9SH48I9Zprn33FlSR' +
  'FMmATmK9vrhvHEnbCOfwQP4IGfwXf4LOH7Qr9oUAzyXip/PGj9o57kbSSRLKpoPDn04SkgnBKBYD8QWC3JhBD8K26+c9R06QPwrbr7JG' +
  'hx4H4Vt19kiMQoPwrbr7H9S/IqfjYitPPW9BoxzskqmfObk3pscE4JQLAfiFh2dEKIfhW3XzpVfM8H4Vt19kRst4Pwrbr7JFpqwPwrbr' +
  '7H/PjKE7+PAveGgbHnEihFb4OFdvAAABhIS61bx2JxLoAAABhHfDaDjCQhcGwH0/wAAMI+Ue1IAMJCN6UBwAGEfQcZzGEhL+X5QAGEfQ' +
  'cZzGEhL8pAQAMI+g4zmMJCPIWeE7hGkHdQDkojk4sEYC54geC4AAGEhLFZBVTEVKOAAAADCIFP6OEg5WTy1UAGEaXrosDCQcqYPcABhG' +
  'a4exhIR8+GwAGEZrh7GEhL4rwgAYRmuHsYSEf876Q+9VU6ZUCpfUk0tiyMTZhDBF/9k=';
/** A picture of 240 by 120 pixels in JBIG2. */
const JBIG2 =
  'AAAAADAAAQAAABMAAADwAAAAeAAAAAAAAAAAAAAAAAAAASYAAQAAAF4AAADwAAAAeAAAAAAAAAAAAAEmoZIMn//////IaF6f////////' +
  '////yUgeCx////////////////////////////////////////4/////////////x//////gAgAg';

/** A scan in JPEG 2000. @param damaged whether most data of the picture are zeros */
export function jpeg2000Scan({ damaged = false } = {}): Buffer {
  const picture = Buffer.from(JPEG_2000, 'base64');
  return pdfWithPicture('/JPXDecode /BitsPerComponent 8', damaged ? picture.fill(0, 140) : picture);
}

/** A scan in JBIG2. */
export const jbig2Scan = (): Buffer =>
  pdfWithPicture('/JBIG2Decode /BitsPerComponent 1', Buffer.from(JBIG2, 'base64'));

/** Pages that are all the same: a text beside a picture that no decoder can read. */
export const textWithDamagedPicture = (text: string, pages = 1): Buffer =>
  pdfWithPicture('/JPXDecode /BitsPerComponent 8', Buffer.alloc(200), { before: textOf(text), pages });

/** A page without anything on it. */
export const blankPdf = (): Buffer => pdfOf({ content: '' });

/** A tick of the font ZapfDingbats, which viewers contain. */
export const pdfWithTick = (): Buffer =>
  pdfOf({
    content: textOf('4'),
    font: '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>',
  });

/** A text in a Chinese font that is not in the file, with a character map that viewers contain. */
export const pdfWithCharacterMap = (): Buffer =>
  pdfOf({
    content: textOf('\0H\0i'),
    font:
      '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [' +
      '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light ' +
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> ' +
      '/FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 4 >> >>] >>',
  });

/** A PDF that only a password opens, as `/Filter /Standard /V 1 /R 2`, which every viewer knows. */
export function pdfWithPassword(text: string, password: string): Buffer {
  const [id, padded] = [Buffer.alloc(16, 'lintel'), padding(password)];
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const key = md5(Buffer.concat([padded, owner, permissions, id])).subarray(0, 5);
  const user = rc4(key, padding(''));
  const ofContent = md5(Buffer.concat([key, Buffer.from([CONTENT, 0, 0, 0, 0])])).subarray(0, 10);
  return pdfOf({
    content: rc4(ofContent, textOf(text)).toString('latin1'),
    extra: `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> >>`,
    trailer: `/Encrypt ${EXTRA} 0 R /ID [<${id.toString('hex')}> <${id.toString('hex')}>]`,
  });
}

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const textOf = (text: string) => `BT /F1 24 Tf 20 170 Td (${text}) Tj ET\n`;

function pdfWithPicture(filter: string, picture: Buffer, { before = '', pages = 1 } = {}): Buffer {
  const entries = `/Type /XObject /Subtype /Image /Width 240 /Height 120 /ColorSpace /DeviceGray /Filter ${filter}`;
  return pdfOf({
    content: `${before}q 240 0 0 120 30 40 cm /I Do Q`,
    extra: stream(picture.toString('latin1'), entries),
    resources: `/XObject << /I ${EXTRA} 0 R >>`,
    pages,
  });
}

const stream = (content: string, entries = '') =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** Numbers of objects; 1 is the catalogue, 2 the list of pages, and `PAGE` the first page. */
const [CONTENT, FONT, EXTRA, PAGE] = [3, 4, 5, 6] as const;

type Parts = {
  content: string;
  font?: string;
  extra?: string;
  resources?: string;
  pages?: number;
  trailer?: string;
};

/** Each character is a byte, so lengths and offsets are those of the text. */
function pdfOf(parts: Parts): Buffer {
  const { content, font = HELVETICA, extra = 'null', resources = '', pages = 1, trailer = '' } = parts;
  const kids = Array.from({ length: pages }, (_, index) => `${PAGE + index} 0 R`);
  const page =
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents ${CONTENT} 0 R ` +
    `/Resources << /Font << /F1 ${FONT} 0 R >> ${resources} >> >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} >>`,
    ...[stream(content), font, extra],
    ...kids.map(() => page),
  ];
  let text = '%PDF-1.5\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}` +
      `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

/** A password padded or cut to 32 bytes, as the format requires. */
function padding(password: string): Buffer {
  const filler = '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a';
  return Buffer.concat([Buffer.from(password, 'latin1'), Buffer.from(filler, 'hex')]).subarray(0, 32);
}

const md5 = (bytes: Buffer): Buffer => createHash('md5').update(bytes).digest();

/** RC4, which Node's own library no longer has. */
function rc4(key: Buffer, data: Buffer | string): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, n) => n);
  const at = (n: number) => state[n & 255] ?? 0;
  const swap = (a: number, b: number) => {
    const [left, right] = [at(a), at(b)];
    state[a & 255] = right;
    state[b & 255] = left;
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j += at(i) + (key[i % key.length] ?? 0);
    swap(i, j);
  }
  let j = 0;
  return Buffer.from(
    Buffer.from(data).map((byte, index) => {
      const i = index + 1;
      j += at(i);
      swap(i, j);
      return byte ^ at(at(i) + at(j));
    }),
  );
}
