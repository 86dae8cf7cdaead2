/** A header that a form of another site cannot send; the server requires it on every write. */
export const APP_HEADERS = { 'x-app': '1' };

const asked = new Map<string, Promise<Response>>();
let answered = false;

/** Whether an early request has been answered or has failed. */
export const isAnsweredEarly = (): boolean => answered;

/** Starts a request before the client that needs it has loaded. */
export function startEarlyRequest(url: string): void {
  const answer = fetch(url, { headers: APP_HEADERS });
  const note = () => {
    answered = true;
  };
  // The caller that takes the answer handles a failure; if none takes it, the failure does not matter.
  answer.then(note, note);
  asked.set(url, answer);
}

/**
 * `fetch`, but the first call returns the answer of the early request if the address is the same. That call drops all
 * other early requests, so that an old answer is never used for a later request.
 */
export function fetchOrReuseEarly(url: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const early = typeof url === 'string' ? asked.get(url) : undefined;
  for (const answer of asked.values()) if (answer !== early) discard(answer);
  asked.clear();
  if (early === undefined) return fetch(url, init);
  const signal = init?.signal;
  if (signal === undefined || signal === null) return early;
  return Promise.race([early, untilAborted(signal)]);
}

/** The browser counts an answer that nobody reads as a request in progress, for as long as the page is open. */
function discard(answer: Promise<Response>): void {
  answer.then(({ body }) => body?.cancel()).catch(() => undefined);
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
