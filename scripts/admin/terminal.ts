import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** An error that the operator can fix. The message is printed without a stack trace. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

const UNANSWERED =
  '\nThere is no terminal to ask at. Give the answers as options: --email, --first-name, --last-name.';

/** Asks for a line of input. @throws OperatorError if standard input ends without one */
export function prompt(question: string): Promise<string> {
  return askThrough(question, process.stdout);
}

/**
 * Asks for a new password without echoing it. If nothing is typed or there is no terminal, a password is generated and shown
 * once. The password is never taken from an argument, because everyone on the machine could read that.
 */
export async function askNewPassword(whose: string): Promise<string> {
  if (process.stdin.isTTY) {
    const typed = await askHidden(`New password of ${whose} (leave empty to have one made): `);
    if (typed !== '') {
      if ((await askHidden('Once more: ')) !== typed)
        throw new OperatorError('The two passwords are not the same.');
      return typed;
    }
  }
  const made = randomBytes(12).toString('base64url');
  console.log(`The new password of ${whose}, shown this once: ${made}`);
  return made;
}

async function askHidden(question: string): Promise<string> {
  process.stdout.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answer = await askThrough('', nowhere);
  process.stdout.write('\n');
  return answer;
}

async function askThrough(question: string, output: NodeJS.WritableStream): Promise<string> {
  // In terminal mode, so that the echo goes through `output`.
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true });
  // `question` never settles if the input ends first.
  const ended = new Promise<never>((_resolve, reject) => {
    lines.once('close', () => reject(new OperatorError(UNANSWERED)));
  });
  try {
    return (await Promise.race([lines.question(question), ended])).trim();
  } finally {
    lines.close();
  }
}
