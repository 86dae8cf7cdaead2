import { describe, expect, test } from 'vitest';
import { createPasswords } from '#server/adapters/auth/passwords.ts';
import { isReachable } from '#server/adapters/network/loopback.ts';
import { networkOf } from '#server/adapters/network/network-of.ts';
import { isOwnOrigin } from '#server/adapters/network/origin.ts';
import { CallLimiter } from '#server/http/call-limits.ts';
import { problemOfLive } from '#server/http/health.ts';
import { describeError, isBusy, isDuplicate } from '#server/kernel/database-errors.ts';

test('a server that does not follow the events is not ready, and says why', () => {
  const well = { halted: 0, read_age_seconds: 0.8, listen_silence_seconds: 5.2 };
  expect(problemOfLive(well)).toBeUndefined();
  expect(problemOfLive({})).toBeUndefined();
  expect(problemOfLive({ ...well, halted: 1 })).toBe('a hole in the event log');
  expect(problemOfLive({ ...well, read_age_seconds: 11 })).toBe('events are not read');
  expect(problemOfLive({ ...well, listen_silence_seconds: 21 })).toBe('notifications are not heard');
});

describe('a network', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::ffff:1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s is in %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('an origin', () => {
  test.each([
    ['http://localhost:3000', 'localhost:3000', true],
    ['http://127.0.0.1:3000', '127.0.0.1:3000', true],
    ['http://192.168.1.20:3000', '192.168.1.20:3000', true],
    ['http://[::1]:3000', '[::1]:3000', true],
    ['http://localhost:3000', '127.0.0.1:3000', false],
    ['https://localhost:3000', 'localhost:3000', false],
    ['http://localhost:3001', 'localhost:3000', false],
    // An attacker's host name that points to this server: page and host agree, but the name is not ours.
    ['http://evil.example:3000', 'evil.example:3000', false],
    ['http://127.0.0.1.evil.example', '127.0.0.1.evil.example', false],
    ['null', 'localhost:3000', false],
  ])('%s of a request to %s: %s', (origin, host, own) => {
    expect(isOwnOrigin({}, origin, host)).toBe(own);
  });

  test('is the public one alone on https', () => {
    const env = { publicUrl: 'https://lintel.example.com' };
    expect(isOwnOrigin(env, 'https://lintel.example.com', 'lintel.example.com')).toBe(true);
    expect(isOwnOrigin(env, 'http://lintel.example.com', 'lintel.example.com')).toBe(false);
    expect(isOwnOrigin(env, 'http://127.0.0.1:3000', '127.0.0.1:3000')).toBe(false);
    expect(isOwnOrigin(env, undefined, 'lintel.example.com')).toBe(false);
  });

  test('of a server that others can reach is known', () => {
    expect(isReachable({ host: '127.0.0.1' })).toBe(false);
    expect(isReachable({ host: '127.0.0.1', publicUrl: 'http://localhost:8080' })).toBe(false);
    expect(isReachable({ host: '0.0.0.0' })).toBe(true);
    expect(isReachable({ host: '127.0.0.1', publicUrl: 'https://lintel.example.com' })).toBe(true);
  });
});

describe('hashing', () => {
  test('is argon2id with the parameters that were chosen', async () => {
    const { hash, verify } = createPasswords();
    const stored = await hash('correct-horse-battery');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify('correct-horse-battery', stored)).toBe(true);
    expect(await verify('correct-horse-batterY', stored)).toBe(false);
    expect(await verify('anything', undefined)).toBe(false);
  });

  test('turns away what would wait too long', async () => {
    const { verify } = createPasswords();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, () => verify('anything', undefined)),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(60 - 52);
  });

  test('does not let strangers take the places of those who are known', async () => {
    const { verify } = createPasswords();
    let strangersDone = 0;
    const strangers = Array.from({ length: 40 }, async () => {
      await verify('anything', undefined, 'stranger');
      strangersDone += 1;
    });
    await verify('anything', undefined, 'known');
    // If it had waited behind all strangers, it would have been answered last.
    expect(strangersDone).toBeLessThan(20);
    await Promise.all(strangers);
  });

  test('does not let one account take the places of the others that are known', async () => {
    const { hash, verify } = createPasswords();
    const [insider, colleague] = [await hash('a-flood-of-my-own'), await hash('correct-horse-battery')];
    const flood = Array.from({ length: 60 }, () => verify('anything', insider));
    const settled = Promise.allSettled(flood);
    expect(await verify('correct-horse-battery', colleague)).toBe(true);
    const passed = (await settled).filter(({ status }) => status === 'fulfilled');
    expect(passed).toHaveLength(2 + 4);
  });

  test('does not let one person’s new passwords take the places of the others', async () => {
    const { hash } = createPasswords();
    const flood = Array.from({ length: 60 }, () => hash('chosen-behind-a-link', 'one person'));
    const settled = Promise.allSettled(flood);
    expect(await hash('correct-horse-battery', 'another')).toMatch(/^\$argon2id/);
    const passed = (await settled).filter(({ status }) => status === 'fulfilled');
    expect(passed).toHaveLength(2 + 4);
  });
});

describe('the limit of calls', () => {
  test('lets a burst pass, then as many as time gives back, for each by themselves', () => {
    const limiter = new CallLimiter({ burst: 10, perSecond: 2 });
    expect(limiter.take('a', 10, 0)).toBe(0);
    expect(limiter.take('a', 1, 0)).toBe(1);
    expect(limiter.take('b', 1, 0)).toBe(0);
    expect(limiter.take('a', 2, 1_000)).toBe(0);
    expect(limiter.take('a', 4, 1_000)).toBe(2);
  });
});

describe('an error of the database', () => {
  /** An error as the query builder wraps the driver's. */
  function failure(code: string, said = 'it is wrong'): Error {
    const cause = Object.assign(new Error(said), {
      code,
      detail: 'Key (email)=(secret-parameter) already exists.',
      constraint_name: 'profiles_email_key',
    });
    return Object.assign(new Error('Failed query: insert … params: secret-parameter', { cause }), {
      query: 'insert into profiles values ($1)',
      params: ['secret-parameter'],
    });
  }

  test('is logged without what people typed', () => {
    const said = 'invalid input syntax for type uuid: "secret-parameter"';
    const described = JSON.stringify(describeError(failure('22P02', said)));
    expect(described).toContain('profiles_email_key');
    expect(described).toContain('insert into profiles');
    expect(described).not.toContain('secret-parameter');
  });

  test('is told from a busy one and from a duplicate', () => {
    expect([failure('55P03'), failure('57014'), failure('40001'), failure('40P01')].every(isBusy)).toBe(true);
    expect(isBusy(failure('23505'))).toBe(false);
    expect(isDuplicate(failure('23505'))).toBe(true);
    expect(isDuplicate(failure('23505'), 'profiles_email_key')).toBe(true);
    expect(isDuplicate(failure('23505'), 'another_key')).toBe(false);
  });
});
