import { expect, test } from 'vitest';
import { drawParts } from '#tests/support/code/draw-parts.ts';

// `npx vitest run --config tests/vitest.config.ts tests/unit/project/parts-picture.test.ts -u` draws the picture again.
test('the picture of the parts shows the imports as they are', async () => {
  const text = [
    '# The parts',
    '',
    'Which part of the code imports which, drawn from the imports themselves; arrows that follow from others are left out. What each part',
    'holds, and what it may import: [architecture](architecture.md#the-rooms).',
    '',
    '```mermaid',
    drawParts(),
    '```',
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot('../../../docs/parts.md');
});
