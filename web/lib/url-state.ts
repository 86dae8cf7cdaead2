import { isDay } from '#shared/dates.ts';
import { uuidOrNull } from './uuid-or-null.ts';

/** One value of a screen's state: its URL parameter, and its default, for which no parameter is written. */
export type UrlValue<T> = {
  name: string;
  fallback: T;
  /** @returns undefined for text that is not a valid value, so that links that are old or come from elsewhere still open */
  parse: (text: string) => T | undefined;
  format: (value: T) => string;
};

type Values<State> = { readonly [Key in keyof State]: UrlValue<State[Key]> };

/** How the state of one screen is read from its URL and written to it. */
export type UrlState<State extends object> = {
  /** The state of a URL without parameters. */
  defaults: State;
  read(params: URLSearchParams): State;
  /**
   * Writes all values that differ from their defaults, in the order of their definition.
   * @param around parameters of the surrounding screen; they stay in the URL
   */
  write(state: State, around?: Readonly<Record<string, string>>): URLSearchParams;
  /** The defaults of the given values, as "Clear Filters" sets them. */
  defaultsOf<Key extends keyof State>(keys: readonly Key[]): Pick<State, Key>;
  /** Counts the given values that differ from their defaults. Text that consists of spaces counts as empty. */
  countChanged(state: State, keys: readonly (keyof State)[]): number;
};

/** The state that a definition describes. */
export type StateOf<Url> = Url extends UrlState<infer State> ? State : never;

/**
 * Defines the state that a screen stores in its URL.
 * @param values by name in the code. Of two values with the same parameter, the first that differs from its default is
 *   written
 * @param tidy called after a state is read and before one is written; it drops values that have no meaning without others
 */
export function defineUrlState<State extends object>(
  values: Values<State>,
  tidy: (state: State) => State = (state) => state,
): UrlState<State> {
  // The casts: Object.keys and Object.fromEntries lose the types of keys and values.
  const keys = Object.keys(values) as (keyof State)[];
  const collect = (pick: <Key extends keyof State>(value: UrlValue<State[Key]>) => State[Key]) =>
    Object.fromEntries(keys.map((key) => [key, pick(values[key])])) as State;
  const textOf = <Key extends keyof State>(key: Key, state: State) => values[key].format(state[key]);
  const isDefault = <Key extends keyof State>(key: Key, state: State) =>
    textOf(key, state) === values[key].format(values[key].fallback);
  return {
    defaults: collect(({ fallback }) => fallback),
    read: (params) =>
      tidy(
        collect(({ name, parse, fallback }) => {
          const text = params.get(name);
          return (text === null ? undefined : parse(text)) ?? fallback;
        }),
      ),
    write(state, around = {}) {
      const params = new URLSearchParams(around);
      const tidied = tidy(state);
      for (const key of keys) {
        const { name } = values[key];
        if (!isDefault(key, tidied) && !params.has(name)) params.set(name, textOf(key, tidied));
      }
      return params;
    },
    defaultsOf: <Key extends keyof State>(some: readonly Key[]) =>
      Object.fromEntries(some.map((key) => [key, values[key].fallback])) as Pick<State, Key>,
    countChanged: (state, some) =>
      some.filter((key) => textOf(key, state).trim() !== values[key].format(values[key].fallback)).length,
  };
}

/** One of the given words, with a default. */
export function choice<const T extends string, Fallback extends T | null>(
  name: string,
  words: readonly T[],
  fallback: Fallback,
): UrlValue<T | Fallback> {
  return {
    name,
    fallback,
    parse: (text) => words.find((word) => word === text),
    format: (value) => value ?? '',
  };
}

/** Several of the given words, separated by commas, in the order of the vocabulary. All of them mean the same as none. */
export function choices<const T extends string>(name: string, words: readonly T[]): UrlValue<readonly T[]> {
  return {
    name,
    fallback: [],
    parse(text) {
      const wanted = new Set(text.split(','));
      const found = words.filter((word) => wanted.has(word));
      return found.length === words.length ? [] : found;
    },
    format: (value) => value.join(','),
  };
}

/** The id of a row, or one of the given words. */
export function idOr<const T extends string>(
  name: string,
  ...words: readonly T[]
): UrlValue<string | T | null> {
  return {
    name,
    fallback: null,
    parse: (text) => words.find((word) => word === text) ?? uuidOrNull(text) ?? undefined,
    format: (value) => value ?? '',
  };
}

/** The id of a row. */
export function id(name: string): UrlValue<string | null> {
  return idOr(name);
}

/** Text, cut to its maximum length. */
export function text(name: string, longest: number): UrlValue<string> {
  return { name, fallback: '', parse: (typed) => typed.slice(0, longest), format: (value) => value };
}

/** A boolean, which is true if the parameter is the given word. */
export function flag(name: string, word: string): UrlValue<boolean> {
  return {
    name,
    fallback: false,
    parse: (written) => written === word,
    format: (value) => (value ? word : ''),
  };
}

/** A whole number within bounds, of at most four digits. */
export function wholeNumber<Fallback extends number | null>(
  name: string,
  { least, most, fallback }: { least: number; most: number; fallback: Fallback },
): UrlValue<number | Fallback> {
  return {
    name,
    fallback,
    parse(written) {
      if (!/^\d{1,4}$/.test(written)) return undefined;
      const value = Number(written);
      return value >= least && value <= most ? value : undefined;
    },
    format: (value) => (value === null ? '' : String(value)),
  };
}

/** A calendar day of the years 1900 to 2099, YYYY-MM-DD. */
export function day(name: string): UrlValue<string | null> {
  return {
    name,
    fallback: null,
    parse: (written) => (/^(19|20)/.test(written) && isDay(written) ? written : undefined),
    format: (value) => value ?? '',
  };
}
