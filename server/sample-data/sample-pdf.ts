/** A line of a sample PDF: text, or a label with its value. */
export type PdfLine = string | readonly [label: string, value: string];
/** A page: `heading` is in the band at its top. */
export type PdfPage = { heading: string; lines: readonly PdfLine[] };

/** A4, in points. */
const [WIDTH, HEIGHT] = [595, 842];
const [MARGIN, VALUES_AT, FIRST_LINE, LINE] = [48, 210, 752, 19];
/** The catalogue, the list of pages and the two fonts come first; then two objects for each page. */
const BEFORE_PAGES = 4;

/** Characters beyond Latin-1 that sample texts use, as WinAnsi encodes them. */
const WIN_ANSI: Readonly<Record<string, string>> = { '–': '\x96', '’': '\x92', '“': '\x93', '”': '\x94' };

/** Makes a PDF of A4 pages in the fonts that every viewer has. @param footer at the foot of each page */
export function pdfOf(pages: readonly PdfPage[], footer: string): Buffer {
  const ids = pages.map((_, index) => BEFORE_PAGES + 1 + 2 * index);
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${ids.map((id) => `${id} 0 R`).join(' ')}] >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    ...pages.flatMap((page, index) => {
      const content = contentOf(page, `${footer}   ·   Page ${index + 1} of ${pages.length}`);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${(ids[index] ?? 0) + 1} 0 R ` +
          '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>',
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return assemble(objects);
}

/** Latin-1 text has one byte for each character, so lengths and offsets are those of the text. */
function assemble(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${count}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

function contentOf({ heading, lines }: PdfPage, footer: string): string {
  const body = lines.flatMap((line, index) => {
    const y = FIRST_LINE - index * LINE;
    if (typeof line === 'string') return [textAt(MARGIN, y, 'F1', 10.5, line)];
    return [textAt(MARGIN, y, 'F2', 10.5, line[0]), textAt(VALUES_AT, y, 'F1', 10.5, line[1])];
  });
  return [
    `0.13 0.27 0.31 rg 0 ${HEIGHT - 56} ${WIDTH} 56 re f`,
    '1 1 1 rg',
    textAt(MARGIN, HEIGHT - 35, 'F2', 16, heading),
    '0.12 0.15 0.17 rg',
    ...body,
    '0.42 0.46 0.48 rg',
    textAt(MARGIN, 36, 'F1', 8.5, footer),
  ].join('\n');
}

function textAt(x: number, y: number, font: 'F1' | 'F2', size: number, text: string): string {
  const encoded = text.replace(/[–’“”]/g, (one) => WIN_ANSI[one] ?? one).replace(/[\\()]/g, '\\$&');
  return `BT /${font} ${size} Tf ${x} ${y} Td (${encoded}) Tj ET`;
}
