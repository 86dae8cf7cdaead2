/** Matches a touch screen, or a window as narrow as a phone. */
const PHONE = '(pointer: coarse), (max-width: 639px)';

type Page = { matchMedia?: (query: string) => { matches: boolean } };

/** The word for the device in sentences: 'phone' or 'computer'. Without a screen, such as on the server, 'phone'. */
export function deviceWord(): 'phone' | 'computer' {
  const isPhone = (globalThis as Page).matchMedia?.(PHONE).matches ?? true;
  return isPhone ? 'phone' : 'computer';
}
