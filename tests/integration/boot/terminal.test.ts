import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// The questions that the operator's commands ask at the terminal.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const ASK = `
  import { prompt } from '#scripts/admin/terminal.ts';
  await prompt('Email: ').then(
    (answer) => console.log('answered', answer),
    (error) => console.log('refused', error.name),
  );`;

/** Asks a question with this standard input. @returns what the program prints */
async function answerTo(input: string): Promise<string> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', ASK];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stdin.end(input);
  await new Promise((resolve) => child.once('close', resolve));
  return printed;
}

test.each([
  ['a line', 'ann@example.com\n', 'answered ann@example.com'],
  ['nothing, because nobody is there', '', 'refused OperatorError'],
])('a question is answered by %s', async (_name, input, said) => {
  expect(await answerTo(input)).toContain(said);
});
