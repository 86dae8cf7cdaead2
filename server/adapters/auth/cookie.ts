/** How a secret travels. `__Host-` and Secure need https; without it they would be dropped. */
export type Cookie = {
  name: string;
  /** `Set-Cookie` for a new value. Persistent: closing the browser loses none of ours. */
  set(value: string, expiresAt: string): string;
  clear(): string;
  /** The value in a `Cookie` header. */
  read(header: string | undefined): string | undefined;
};

/** The session's token. */
export function sessionCookie(secure: boolean): Cookie {
  return cookie('sid', secure);
}

/** Which accounts the device was used with (`devices.ts`). Signing out leaves it. */
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
