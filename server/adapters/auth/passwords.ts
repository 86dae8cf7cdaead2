import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '#shared/errors.ts';
import { PASSWORD_MAX_LENGTH } from '#shared/features/users/session.ts';
import { messages } from '#shared/messages.ts';
import { isCommonPassword } from './common-passwords.ts';
import { besideOwnData, type OwnData } from './own-data.ts';

/** argon2id with the first of OWASP's equivalent parameter sets; 2 is the library's number for that variant. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each hash takes a core for about 30 ms and 19 MiB; more at once only delays everything else. */
const AT_ONCE = 2;
/** With two cores or fewer, callers who are not known leave one core free for everything else. */
const STRANGERS_AT_ONCE = Math.max(1, Math.min(AT_ONCE, availableParallelism() - 1));
/** Limit of waiting hashes, per kind of caller. */
const WAITING_MAX = 50;
/** Limit of waiting hashes for one known account: a person tries one password at a time, in a few windows at most. */
const WAITING_PER_ACCOUNT = 4;
const RETRY_AFTER_SECONDS = 2;

/** Hash of random bytes that were thrown away. Verifying against it takes as long as against a real one. */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$uhQqTeYBQ+A8xdnyPkVZUw$q9YVNbNOFXH2Q2azHu4P6+BlSclFryHPkOyfauV+jcQ';

/**
 * The caller of a check: known by session, link or device, or a stranger. Each kind has its own queue, so that a flood of
 * strangers does not delay known callers. Known accounts are limited individually, because one account can be known on any
 * number of devices. Strangers are not: a refusal per account would reveal that the account exists.
 */
export type Caller = 'known' | 'stranger';

/** Hashes and verifies passwords, with limits on concurrent and on waiting work. */
export type Passwords = {
  /** @param account limits the waiting hashes of this account; needed where anyone can request many */
  hash(password: string, account?: string): Promise<string>;
  /** @param stored undefined for an account that does not exist: takes the same time and returns false */
  verify(password: string, stored: string | undefined, caller?: Caller): Promise<boolean>;
  /** Returns the message that refuses a new password; undefined if the password is accepted. */
  problemWithNew(password: string, minimum: number, own: OwnData): Promise<string | undefined>;
};

/** @throws AppError `rate_limited` from `hash` and `verify` while too many calls wait */
export function createPasswords(): Passwords {
  const turns = {
    known: semaphore(AT_ONCE, WAITING_MAX),
    stranger: semaphore(STRANGERS_AT_ONCE, WAITING_MAX),
  };
  return {
    hash: (password, account) => turns.known(() => hash(oneForm(password), PARAMETERS), account),
    verify: (password, stored, caller = 'known') =>
      turns[caller](
        async () => {
          const same = await verify(stored ?? DUMMY_HASH, oneForm(password));
          return same && stored !== undefined;
        },
        // The hash identifies the account, because every hash has its own salt.
        caller === 'known' ? stored : undefined,
      ),
    async problemWithNew(password, minimum, own) {
      // Argon2 works on bytes, and all unpaired surrogates are encoded to the same bytes.
      if (/\p{Cs}/u.test(password)) return messages.common.unstorable;
      if (password.length > PASSWORD_MAX_LENGTH) return messages.session.passwordTooLong(PASSWORD_MAX_LENGTH);
      const length = Math.min(charactersIn(password), charactersIn(oneForm(password)));
      if (length < minimum) return messages.session.passwordMinimum(minimum);
      for (const others of besideOwnData(password, own)) {
        if (others === '' || (await isCommonPassword(others))) return messages.session.passwordOwnData;
      }
      return (await isCommonPassword(password)) ? messages.session.passwordCommon : undefined;
    },
  };
}

/** Makes a password the same from all keyboards: é is one character on some and two on others (NIST SP 800-63B, 3.1.1.2). */
function oneForm(password: string): string {
  return password.normalize('NFKC');
}

/** Counts code points; a surrogate pair is one character. */
function charactersIn(text: string): number {
  return [...text].length;
}

function semaphore(atOnce: number, waitingMax: number) {
  let running = 0;
  const waiting: { goOn: () => void; account: string | undefined }[] = [];
  /** @param account limits how many calls of this account may wait */
  return async <T>(work: () => Promise<T>, account?: string): Promise<T> => {
    if (running >= atOnce) {
      const own = account === undefined ? 0 : waiting.filter((other) => other.account === account).length;
      if (waiting.length >= waitingMax || own >= WAITING_PER_ACCOUNT) {
        throw new AppError('rate_limited', {
          data: { retryAfterSeconds: RETRY_AFTER_SECONDS },
          message: messages.common.rateLimited(RETRY_AFTER_SECONDS),
        });
      }
      // A call that finishes passes its permit to the next one, so `running` stays unchanged.
      await new Promise<void>((resolve) => waiting.push({ goOn: resolve, account }));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next.goOn();
    }
  };
}
