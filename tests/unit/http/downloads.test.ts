import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { Downloads } from '#server/http/downloads/downloads.ts';

/** A reply that has only a connection. The cast: nothing else of a reply is used. */
function replyOf({ destroyed = false } = {}) {
  const raw = Object.assign(new EventEmitter(), {
    destroyed,
    destroy() {
      raw.destroyed = true;
      raw.emit('close');
    },
  });
  return { raw, reply: { raw } as unknown as FastifyReply };
}
const allowed = async () => undefined;

test('one person downloads 48 files at the same time, and another as soon as one has ended', () => {
  const downloads = new Downloads();
  const [first] = Array.from({ length: 48 }, () => {
    const one = replyOf();
    downloads.begin(one.reply, 'ann', allowed);
    return one;
  });
  expect(() => downloads.begin(replyOf().reply, 'ann', allowed)).toThrow('busy');
  downloads.begin(replyOf().reply, 'bob', allowed);
  first?.raw.emit('close');
  downloads.begin(replyOf().reply, 'ann', allowed);
  expect(() => downloads.begin(replyOf().reply, 'ann', allowed)).toThrow('busy');
});

test('a person who has left before the answer begins takes no place', () => {
  const downloads = new Downloads();
  for (let n = 0; n < 100; n += 1) downloads.begin(replyOf({ destroyed: true }).reply, 'ann', allowed);
});

test('what a person may no longer have breaks off, and nothing else', async () => {
  const downloads = new Downloads();
  const forbidden = async () => {
    throw new Error('forbidden');
  };
  const [kept, ended, list, others, over] = [replyOf(), replyOf(), replyOf(), replyOf(), replyOf()];
  downloads.begin(kept.reply, 'ann', allowed);
  downloads.begin(ended.reply, 'ann', forbidden);
  downloads.watch(list.reply, 'ann', forbidden);
  downloads.begin(others.reply, 'bob', forbidden);
  const asked: string[] = [];
  downloads.begin(over.reply, 'ann', async () => asked.push('of one that is over'));
  over.raw.emit('close');
  await downloads.endForbidden(['ann', 'cat']);
  expect([kept, ended, list, others].map(({ raw }) => raw.destroyed)).toEqual([false, true, true, false]);
  expect(asked).toEqual([]);
});
