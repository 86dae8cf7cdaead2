/** How the session's token travels. `__Host-` and Secure need https; without it they would be dropped. */
export type SessionCookie = {
  name: string;
  /** `Set-Cookie` for a new session. Persistent: closing the browser does not sign anybody out. */
  set(token: string, expiresAt: string): string;
  clear(): string;
  /** The token in a `Cookie` header. */
  read(header: string | undefined): string | undefined;
};

export function sessionCookie(secure: boolean): SessionCookie {
  const name = secure ? '__Host-sid' : 'sid';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    name,
    set: (token, expiresAt) =>
      `${name}=${token}; ${attributes}; Expires=${new Date(expiresAt).toUTCString()}`,
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
