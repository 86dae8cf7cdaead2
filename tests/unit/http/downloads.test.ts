import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { Downloads } from '#server/http/downloads.ts';

/** The connection of an answer. The cast: nothing else of a reply is used. */
function replyOf(raw = Object.assign(new EventEmitter(), { destroyed: false })) {
  return { raw, reply: { raw } as unknown as FastifyReply };
}

test('one person downloads 48 files at the same time, and another as soon as one has ended', () => {
  const downloads = new Downloads();
  const [first] = Array.from({ length: 48 }, () => {
    const one = replyOf();
    downloads.begin(one.reply, 'ann');
    return one;
  });
  expect(() => downloads.begin(replyOf().reply, 'ann')).toThrow('busy');
  downloads.begin(replyOf().reply, 'bob');
  first?.raw.emit('close');
  downloads.begin(replyOf().reply, 'ann');
  expect(() => downloads.begin(replyOf().reply, 'ann')).toThrow('busy');
});

test('a person who has left before the answer begins takes no place', () => {
  const downloads = new Downloads();
  for (let n = 0; n < 100; n += 1) {
    downloads.begin(replyOf(Object.assign(new EventEmitter(), { destroyed: true })).reply, 'ann');
  }
});
