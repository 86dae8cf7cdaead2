import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { picture } from '../rows/photos.ts';

/** A file that could trick a browser, a viewer or a server. */
export type HostileFile = {
  what: string;
  name: string;
  /** The type that its uploader declares. */
  type: string;
  bytes: Buffer;
};

const SCRIPT = '<script>parent.document.title = document.title = "ran"; fetch("/ran")</script>';
const PAGE = `<!doctype html><html><body onload="document.title='ran'">${SCRIPT}</body></html>`;
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='ran'">${SCRIPT}</svg>`;
const PROLOG = '<?xml version="1.0"?>';
const MIB = 1024 * 1024;

/** A ZIP with one file, whose packed bytes unpack to many more bytes. */
function zipOf(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content, { level: 9 });
  const path = Buffer.from(name);
  // Flags, method, time, checksum and both lengths: the part that both headers contain.
  const about = Buffer.alloc(20);
  about.writeUInt16LE(8, 2);
  about.writeUInt32LE(crc32(content), 8);
  about.writeUInt32LE(packed.byteLength, 12);
  about.writeUInt32LE(content.byteLength, 16);
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(path.byteLength);
  const local = Buffer.concat([Buffer.from('PK\x03\x04\x14\x00'), about, lengths, path, packed]);
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00\x14\x00'),
    about,
    lengths,
    Buffer.alloc(14),
    path,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.byteLength, 12);
  end.writeUInt32LE(local.byteLength, 16);
  return Buffer.concat([local, entry, end]);
}

/** A PNG whose header says 65,535 × 65,535 pixels. */
function hugePicture(): Buffer {
  const bytes = Buffer.from(picture());
  bytes.writeUInt32BE(65_535, 16);
  bytes.writeUInt32BE(65_535, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

function pdfWith(stream: Buffer, catalog: string): Buffer {
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog ${catalog} >>\nendobj\n`),
    Buffer.from(`2 0 obj\n<< /Length ${stream.byteLength} /Filter /FlateDecode >>\nstream\n`),
    stream,
    Buffer.from('\nendstream\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'),
  ]);
}

/** "Billion laughs": entities that grow tenfold with each of ten steps. */
function laughs(): string {
  const steps = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
  return `${PROLOG}<!DOCTYPE l [<!ENTITY l0 "ha">${steps.join('')}]><l>&l9;</l>`;
}

type Row = readonly [what: string, name: string, type: string, bytes: string | Buffer];

/** Pages and programs in disguise, files that are valid as two types, and decompression bombs. */
export function hostileFiles(): HostileFile[] {
  const zeros = Buffer.alloc(64 * MIB);
  const inner = zipOf('inner.bin', zeros);
  const rows: Row[] = [
    ['a page', 'index.html', 'text/html', PAGE],
    ['a page called a picture', 'photo.png', 'image/png', PAGE],
    ['a page called a PDF', 'report.pdf', 'application/pdf', PAGE],
    ['a page called a text', 'notes.txt', 'text/plain', PAGE],
    ['a page without a type', 'page', '', PAGE],
    ['a page in UTF-16', 'wide.html', 'text/html', Buffer.from(`\ufeff${PAGE}`, 'utf16le')],
    ['a page in UTF-7', 'utf7.html', 'text/html; charset=utf-7', '+ADw-script+AD4-alert(1)+ADw-/script+AD4-'],
    [
      'a page of XML',
      'page.xhtml',
      'application/xhtml+xml',
      `${PROLOG}<html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`,
    ],
    ['a drawing with a script', 'logo.svg', 'image/svg+xml', DRAWING],
    ['a drawing called a picture', 'logo.png', 'image/png', PROLOG + DRAWING],
    [
      'a style sheet that runs',
      'data.xml',
      'text/xml',
      `${PROLOG}<?xml-stylesheet type="text/xsl" href="#x"?>${DRAWING}`,
    ],
    ['a script', 'run.js', 'text/javascript', 'document.title = "ran"'],
    ['a module for machines', 'run.wasm', 'application/wasm', Buffer.from('0061736d01000000', 'hex')],
    ['a Flash film', 'film.swf', 'application/x-shockwave-flash', 'FWS\x0a\x00\x00\x00\x00'],
    [
      'a saved page',
      'page.mht',
      'multipart/related',
      `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${PAGE}`,
    ],
    ['a program for Windows', 'setup.hta', 'application/hta', PAGE],
    [
      'a link for Windows',
      'click.url',
      'application/internet-shortcut',
      '[InternetShortcut]\r\nURL=file:///c:/windows',
    ],
    ['a type with a line break', 'a.bin', 'text/html\r\nset-cookie: ran=1', PAGE],
    [
      'parts that replace each other',
      'feed',
      'multipart/x-mixed-replace; boundary=x',
      `--x\r\nContent-Type: text/html\r\n\r\n${PAGE}`,
    ],
    [
      'a GIF that is a script',
      'both.gif',
      'image/gif',
      'GIF89a/*\x00\x00\x00\x00*/=1;document.title="ran"//;',
    ],
    ['a picture followed by a page', 'both.png', 'image/png', Buffer.concat([picture(), Buffer.from(PAGE)])],
    [
      'a picture that is an archive',
      'both.jpg',
      'image/jpeg',
      Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), inner]),
    ],
    ['a PDF that begins as a page', 'both.pdf', 'application/pdf', `${PAGE}\n%PDF-1.7\n`],
    [
      'a PDF that runs scripts',
      'form.pdf',
      'application/pdf',
      pdfWith(deflateSync(''), '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'),
    ],
    ['a bomb in a ZIP', 'bomb.zip', 'application/zip', inner],
    ['a bomb in a ZIP in a ZIP', 'bombs.zip', 'application/zip', zipOf('inner.zip', inner)],
    [
      'a bomb where a document of an office has its types',
      'bomb.docx',
      '',
      zipOf('[Content_Types].xml', Buffer.alloc(3 * MIB, ' ')),
    ],
    ['a bomb in a gzip', 'bomb.gz', 'application/gzip', gzipSync(zeros)],
    ['a picture of four thousand megapixels', 'huge.png', 'image/png', hugePicture()],
    ['a bomb in a PDF', 'bomb.pdf', 'application/pdf', pdfWith(deflateSync(zeros), '')],
    ['a bomb of entities', 'laughs.xml', 'application/xml', laughs()],
    ['nothing', 'empty.html', 'text/html', ''],
  ];
  return rows.map(([what, name, type, bytes]) => ({ what, name, type, bytes: Buffer.from(bytes as Buffer) }));
}

/** Names that lead to another folder, end a header, look like other names, or have a meaning for an operating system. */
export const HOSTILE_NAMES: readonly string[] = [
  '../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/shadow',
  'C:\\autoexec.bat',
  '..',
  '%2e%2e%2f%2e%2e%2fsecret',
  'a\r\nSet-Cookie: ran=1\r\n\r\n<script>.txt',
  'nul\u0000byte.txt',
  'a\u001b[31mred.txt',
  'invoice\u202Efdp.exe',
  '\u2066isolated\u2069.pdf',
  'zero\u200Bwidth\uFEFF.txt',
  'lone\uD800surrogate.txt',
  '"quoted"; filename="other.exe',
  '<img src=x onerror="document.title=1">.png',
  'CON.txt',
  '.htaccess',
  ' . ',
  `${'n'.repeat(300)}.pdf`,
  `${'長'.repeat(100)}.pdf`,
];
