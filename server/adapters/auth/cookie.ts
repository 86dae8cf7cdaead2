/**
 * A cookie for a secret. A prefix and `Secure` are used only over https, because over http browsers drop cookies with either.
 */
export type Cookie = {
  name: string;
  /** `Set-Cookie` for a new value. Persistent, so closing the browser does not remove it. */
  set(value: string, expiresAt: string): string;
  clear(): string;
  /** Reads the value from a `Cookie` header. */
  read(header: string | undefined): string | undefined;
};

/** The cookie with the session token. */
export function sessionCookie(secure: boolean): Cookie {
  return cookie('sid', secure);
}

/** The cookie that marks the accounts used on a device (`devices.ts`). Signing out keeps it. */
export function deviceCookie(secure: boolean): Cookie {
  return cookie('device', secure);
}

/** The cookie with the state of a sign-in flow. It is `Lax`, because the provider's redirect must carry it. */
export function signInCookie(secure: boolean): Cookie {
  return cookie('sign-in', secure, { path: '/sign-in', sameSite: 'Lax' });
}

/** The cookie with an external account that will be linked when the person signs in with a password. */
export function pendingLinkCookie(secure: boolean): Cookie {
  return cookie('sign-in-link', secure, { path: '/trpc', sameSite: 'Strict' });
}

/** The two cookies with the credential of a display. Both have the same value. */
export type DisplayCookie = Pick<Cookie, 'name' | 'read'> & {
  /** `Set-Cookie` for a new value: one header for each cookie. */
  set(value: string, expiresAt: string): string[];
};

/**
 * The cookies with the credential of a display, sent with calls and sockets only. When a panel starts, its clock may be years
 * behind. When the clock is corrected, the browser drops a cookie whose end was computed by the wrong clock. So a second
 * cookie lasts as long as the browser runs, and the next call then renews the first cookie.
 */
export function displayCookie(secure: boolean): DisplayCookie {
  const scope = { path: '/trpc', sameSite: 'Strict' };
  const kept = cookie('display', secure, scope);
  const running = cookie('display-running', secure, scope);
  return {
    name: kept.name,
    set: (value, expiresAt) => [kept.set(value, expiresAt), running.setForSession(value)],
    read: (header) => kept.read(header) ?? running.read(header),
  };
}

/** The prefix `__Host-` needs the path `/`. */
function cookie(
  plainName: string,
  secure: boolean,
  { path, sameSite } = { path: '/', sameSite: 'Lax' },
): Cookie & { setForSession(value: string): string } {
  const name = secure ? `${path === '/' ? '__Host-' : '__Secure-'}${plainName}` : plainName;
  const attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
  return {
    name,
    set: (value, expiresAt) =>
      `${name}=${value}; ${attributes}; Expires=${new Date(expiresAt).toUTCString()}`,
    setForSession: (value) => `${name}=${value}; ${attributes}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
    read(header) {
      for (const pair of header?.split(';') ?? []) {
        const at = pair.indexOf('=');
        if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
      }
      return undefined;
    },
  };
}
