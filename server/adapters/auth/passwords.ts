import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '#shared/errors.ts';
import { PASSWORD_MAX_LENGTH } from '#shared/features/session.ts';
import { messages } from '#shared/messages.ts';
import { isCommonPassword } from './common-passwords.ts';
import { besideOwnData, type OwnData } from './own-data.ts';

/** argon2id, the first of OWASP's equal choices; 2 is the library's name for that variant. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each takes a core for about 30 ms and 19 MiB: more at once only makes everything else wait. */
const AT_ONCE = 2;
/** Where there are two cores or fewer, strangers leave one of them to everything else. */
const STRANGERS_AT_ONCE = Math.max(1, Math.min(AT_ONCE, availableParallelism() - 1));
const WAITING_MAX = 50;
/** Of these, for one account that is known: a person tries one password at a time, in a few windows at most. */
const WAITING_PER_ACCOUNT = 4;
const RETRY_AFTER_SECONDS = 2;

/** A hash of bytes that nobody knows: checking against it takes as long as checking a real one. */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$uhQqTeYBQ+A8xdnyPkVZUw$q9YVNbNOFXH2Q2azHu4P6+BlSclFryHPkOyfauV+jcQ';

/**
 * Whose password is checked: somebody's who is known by a session, a link or their device, or a stranger's. Each has
 * places of its own, so that a flood of strangers holds up nobody who is known. Nor does one account that is known: anybody
 * can have their own account known on any number of devices. Strangers have no such limit, which would tell by a refusal
 * that there is an account.
 */
export type Caller = 'known' | 'stranger';

/** Hashing and checking passwords, with a bound on how many are worked on and on how many wait. */
export type Passwords = {
  /** @param account the id of the one it is for, where anybody can ask for it often */
  hash(password: string, account?: string): Promise<string>;
  /** @param stored undefined for an account that does not exist: takes the same time, and is false */
  verify(password: string, stored: string | undefined, caller?: Caller): Promise<boolean>;
  /** The sentence that refuses a new password, or undefined. */
  problemWithNew(password: string, minimum: number, own: OwnData): Promise<string | undefined>;
};

/** @throws AppError `rate_limited` from `hash` and `verify` while too many are waiting */
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
        // No two accounts have one hash: each has its own salt.
        caller === 'known' ? stored : undefined,
      ),
    async problemWithNew(password, minimum, own) {
      // Argon2 is given bytes, and half characters would all become the same ones.
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

/** The same for every keyboard: é is one character on one and two on another (NIST SP 800-63B, 3.1.1.2). */
function oneForm(password: string): string {
  return password.normalize('NFKC');
}

/** A pair of surrogates is one. */
function charactersIn(text: string): number {
  return [...text].length;
}

function semaphore(atOnce: number, waitingMax: number) {
  let running = 0;
  const waiting: { goOn: () => void; account: string | undefined }[] = [];
  /** @param account whose places are bounded, if they are */
  return async <T>(work: () => Promise<T>, account?: string): Promise<T> => {
    if (running >= atOnce) {
      const own = account === undefined ? 0 : waiting.filter((other) => other.account === account).length;
      if (waiting.length >= waitingMax || own >= WAITING_PER_ACCOUNT) {
        throw new AppError('rate_limited', {
          data: { retryAfterSeconds: RETRY_AFTER_SECONDS },
          message: messages.common.rateLimited(RETRY_AFTER_SECONDS),
        });
      }
      // Whoever finishes hands its place over, so `running` stays as it is.
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
