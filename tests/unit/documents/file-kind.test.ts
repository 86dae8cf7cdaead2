import { expect, test } from 'vitest';
import { fileKind } from '#web/features/documents/file-kind.ts';

test.each([
  ['application/pdf', 'Fire certificate.pdf', 'PDF'],
  // The detected type of the content takes precedence if it is certain.
  ['application/pdf', 'certificate.docx', 'PDF'],
  ['image/jpeg', 'roof', 'Picture'],
  ['text/x-log', 'panel.log', 'Log file'],
  ['text/plain', 'panel.LOG', 'Log file'],
  ['text/plain', 'notes.txt', 'Text file'],
  ['text/csv', 'assets.csv', 'Spreadsheet'],
  ['application/zip', 'figures.xlsx', 'Spreadsheet'],
  [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'Method statement',
    'Word document',
  ],
  ['application/octet-stream', 'ground floor.dwg', 'Drawing'],
  ['application/zip', 'photos.zip', 'Archive'],
  ['video/mp4', 'walk.mp4', 'Video'],
  ['application/octet-stream', 'setup.exe', 'File'],
  [null, 'unknown', 'File'],
])('%s named %s is a %s', (fileType, fileName, kind) => {
  expect(fileKind({ fileType, fileName }).name).toBe(kind);
});
