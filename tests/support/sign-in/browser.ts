const REDIRECTS_MAX = 20;

/** An HTTP client that keeps cookies and follows redirects as a browser does. */
export type CookieBrowser = ReturnType<typeof createCookieBrowser>;

export function createCookieBrowser() {
  /** The cookies, by host, path and name. */
  const jar = new Map<string, { host: string; path: string; pair: string }>();

  function cookiesFor(url: URL): string {
    return [...jar.values()]
      .filter(({ host, path }) => host === url.host && url.pathname.startsWith(path))
      .map(({ pair }) => pair)
      .join('; ');
  }

  function keep(url: URL, headers: Headers): void {
    for (const header of headers.getSetCookie()) {
      const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
      const attributeOf = (name: string) =>
        attributes.find((one) => one.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
      const path = attributeOf('path') ?? '/';
      const key = `${url.host} ${path} ${pair.split('=')[0]}`;
      const expires = attributeOf('expires');
      const isGone =
        attributeOf('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now());
      if (isGone) jar.delete(key);
      else jar.set(key, { host: url.host, path, pair });
    }
  }

  async function request(address: string, init: RequestInit = {}) {
    let url = new URL(address);
    let options = init;
    const visited: string[] = [];
    for (let n = 0; n < REDIRECTS_MAX; n += 1) {
      visited.push(url.href);
      const headers = { ...options.headers, cookie: cookiesFor(url) };
      const response = await fetch(url, { ...options, headers, redirect: 'manual' });
      keep(url, response.headers);
      const location = response.headers.get('location');
      if (location === null) {
        return { url: url.href, status: response.status, text: await response.text(), visited };
      }
      url = new URL(location, url);
      options = {};
    }
    throw new Error(`too many redirects: ${visited.join(' → ')}`);
  }

  return {
    get: (url: string) => request(url),
    post: (url: string, form: string) =>
      request(url, {
        method: 'POST',
        body: form,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    /** Requests an address without following the redirect. @returns the target of the redirect */
    async getOnce(address: string): Promise<string> {
      const response = await fetch(address, {
        headers: { cookie: cookiesFor(new URL(address)) },
        redirect: 'manual',
      });
      keep(new URL(address), response.headers);
      return new URL(response.headers.get('location') ?? '', address).href;
    },
    /** The `Cookie` header for an address. */
    cookies: (url: string) => cookiesFor(new URL(url)),
  };
}
