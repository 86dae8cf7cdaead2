/** A finger on it, or no more room than a hand holds. */
const PHONE = '(pointer: coarse), (max-width: 639px)';

type Page = { matchMedia?: (query: string) => { matches: boolean } };

/** How a sentence names the device that it is read on. Where there is no screen: as on the device that it is made for. */
export function deviceWord(): 'phone' | 'computer' {
  const isPhone = (globalThis as Page).matchMedia?.(PHONE).matches ?? true;
  return isPhone ? 'phone' : 'computer';
}
