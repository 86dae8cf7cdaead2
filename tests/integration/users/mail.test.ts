import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mail, Message } from '#server/adapters/mail/mail.ts';
import { memoryMail } from '#server/adapters/mail/memory.ts';
import { smtpMail } from '#server/adapters/mail/smtp.ts';

const MESSAGE: Message = {
  to: 'ines@example.com',
  subject: 'Your invitation',
  text: 'Hello Inès,\n\nhttp://lintel.test/invite/abc\n',
};

/** A mail adapter under test with the messages that arrive at its other end. */
type Setting = { mail: Mail; arrived(): Promise<Message[]>; stop(): Promise<void> };

function inMemory(): Promise<Setting> {
  const mail = memoryMail();
  return Promise.resolve({ mail, arrived: async () => mail.sent, stop: async () => {} });
}

/** A minimal SMTP server that accepts everything. */
async function throughSmtp(): Promise<Setting> {
  const received: { to: string; data: string }[] = [];
  const server: Server = createServer((socket) => {
    let text = '';
    let to = '';
    let inData = false;
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.write('220 test\r\n');
    socket.on('data', (chunk: string) => {
      text += chunk;
      for (;;) {
        const end = inData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
        if (end === -1) return;
        const line = text.slice(0, end);
        text = text.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          received.push({ to, data: line });
          socket.write('250 taken\r\n');
        } else if (/^DATA/i.test(line)) {
          inData = true;
          socket.write('354 go on\r\n');
        } else if (/^QUIT/i.test(line)) {
          socket.end('221 bye\r\n');
        } else {
          to = /^RCPT TO:<([^>]+)>/i.exec(line)?.[1] ?? to;
          socket.write('250 fine\r\n');
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    mail: smtpMail(`smtp://127.0.0.1:${port}`, 'Lintel <lintel@example.com>'),
    arrived: async () => received.map(({ to, data }) => ({ to, ...parse(data) })),
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

function parse(data: string): { subject: string; text: string } {
  const [head = '', ...body] = data.split('\r\n\r\n');
  const raw = body.join('\r\n\r\n');
  const encoding = /^content-transfer-encoding: (\S+)/im.exec(head)?.[1] ?? '';
  const bytes =
    encoding === 'base64'
      ? Buffer.from(raw, 'base64')
      : Buffer.from(
          raw
            .replace(/=\r\n/g, '')
            .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        );
  return {
    subject: /^subject: (.*)$/im.exec(head)?.[1]?.trim() ?? '',
    text: `${bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd()}\n`,
  };
}

describe.each([
  ['in memory', inMemory],
  ['through SMTP', throughSmtp],
])('mail %s', (_name, open) => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await open();
  });
  afterAll(() => setting.stop());

  test('arrives as it was sent, in order', async () => {
    await setting.mail.send(MESSAGE);
    await setting.mail.send({ ...MESSAGE, subject: 'Another' });
    expect(await setting.arrived()).toEqual([MESSAGE, { ...MESSAGE, subject: 'Another' }]);
  });
});

test('mail that no server takes is refused, not lost in silence', async () => {
  const nowhere = createServer();
  await new Promise<void>((resolve) => nowhere.listen(0, '127.0.0.1', resolve));
  const { port } = nowhere.address() as AddressInfo;
  await new Promise<void>((resolve) => void nowhere.close(() => resolve()));
  await expect(smtpMail(`smtp://127.0.0.1:${port}`, 'a@example.com').send(MESSAGE)).rejects.toThrow();
});
