/**
 * A cookie for a secret. The prefix `__Host-` and `Secure` are used only over https, because browsers drop such cookies
 * without it.
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

function cookie(plainName: string, secure: boolean): Cookie {
  const name = secure ? `__Host-${plainName}` : plainName;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    name,
    set: (value, expiresAt) =>
      `${name}=${value}; ${attributes}; Expires=${new Date(expiresAt).toUTCString()}`,
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
