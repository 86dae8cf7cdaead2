/** A header that a foreign form cannot send; the server wants it on every write. */
export const APP_HEADERS = { 'x-app': '1' };

const asked = new Map<string, Promise<Response>>();
let answered = false;

/** Whether an early question has its answer, or will have none: to wait for it is to wait for a moment. */
export const isAnsweredEarly = (): boolean => answered;

/** Asks before the client is there that will want to know. */
export function startEarlyRequest(url: string): void {
  const answer = fetch(url, { headers: APP_HEADERS });
  const note = () => {
    answered = true;
  };
  // Whoever takes it hears of a failure; where nobody does, it is no fault.
  answer.then(note, note);
  asked.set(url, answer);
}

/**
 * `fetch`, but the first call takes the answer that was asked for early if it is to the same address. After it nothing
 * early is left: an old answer must never stand for a new question.
 */
export function fetchOrReuseEarly(url: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const early = typeof url === 'string' ? asked.get(url) : undefined;
  asked.clear();
  if (early === undefined) return fetch(url, init);
  const signal = init?.signal;
  if (signal === undefined || signal === null) return early;
  return Promise.race([early, untilAborted(signal)]);
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
