import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { withErrorListener } from '../with-error-listener.ts';
import { EMPTY_SHA256, encodeS3, type S3Credentials, signS3 } from './s3-signature.ts';
import { StorageError } from './storage.ts';

/** A bucket at an S3-compatible service. */
export type S3Settings = S3Credentials & { endpoint: string; bucket: string };

/** A file on this machine that is sent as a body. */
export type LocalFile = { path: string; bytes: number; sha256: string };

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Absent: the bucket itself. */
  key?: string;
  query?: Readonly<Record<string, string | number>>;
  headers?: Readonly<Record<string, string>>;
  body?: string | LocalFile;
};

/** An unexpected error answer of S3. Its message is for the log. */
export class S3Error extends Error {
  override name = 'S3Error';
  readonly status: number;
  readonly code: string;

  constructor(request: S3Request, status: number, answer: string) {
    const code = xmlText(answer, 'Code') ?? 'unknown';
    super(`S3 answered ${request.method} with ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** A request has failed if no byte is sent or received for this long. */
const SILENCE_MS = 30_000;
const TRIES = 3;
const PAUSE_MS = 200;
/** The longest answer that is no file: a list of 1,000 keys. */
const ANSWER_MAX = 4 * 1024 * 1024;

export type S3Client = {
  /**
   * Sends a request and returns the answer, whose body the caller must read or destroy. A request is retried if the connection
   * failed, or if the answer shows that a later attempt may succeed.
   * @throws S3Error for an answer other than success or one of `expected`; StorageError `unreachable`
   */
  send(request: S3Request, expected?: readonly number[]): Promise<IncomingMessage>;
  /** Like `send`, but returns the text of the answer. */
  text(
    request: S3Request,
    expected?: readonly number[],
  ): Promise<{ status: number; text: string; etag: string }>;
};

/** Creates a client of one bucket. Its requests are signed, and addressed by path, which all services understand. */
export function createS3Client(settings: S3Settings, now: () => Date = () => new Date()): S3Client {
  const secure = settings.endpoint.startsWith('https:');
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const base = settings.endpoint.replace(/\/+$/, '');

  function urlOf({ key, query = {} }: S3Request): URL {
    const path = [settings.bucket, ...(key?.split('/') ?? [])].map(encodeS3).join('/');
    const pairs = Object.entries(query).map(
      ([name, value]) => `${encodeS3(name)}=${encodeS3(String(value))}`,
    );
    return new URL(`${base}/${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`);
  }

  function once(request: S3Request): Promise<IncomingMessage> {
    const url = urlOf(request);
    const { method, body } = request;
    const sent = typeof body === 'string' ? Buffer.from(body) : undefined;
    const file = typeof body === 'object' ? body : undefined;
    const payload = file?.sha256 ?? (sent === undefined ? EMPTY_SHA256 : sha256Of(sent));
    const headers = {
      ...signS3({ method, url, headers: request.headers ?? {}, payload }, settings, now()),
      ...(body === undefined ? {} : { 'content-length': String(file?.bytes ?? sent?.byteLength ?? 0) }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = (secure ? httpsRequest : httpRequest)(url, { method, headers, agent }, (answer) =>
        resolve(withErrorListener(answer)),
      );
      outgoing.setTimeout(SILENCE_MS, () => outgoing.destroy(new Error('S3 does not answer')));
      outgoing.on('error', reject);
      if (file === undefined || file.bytes === 0) outgoing.end(sent);
      else
        createReadStream(file.path, { end: file.bytes - 1 })
          .on('error', reject)
          .pipe(outgoing);
    });
  }

  async function send(request: S3Request, expected: readonly number[] = []): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await once(request).catch((error: unknown) => {
        if (attempt === TRIES) throw new StorageError('unreachable', { cause: error });
      });
      const status = answer?.statusCode ?? 0;
      if (answer !== undefined && ((status >= 200 && status < 300) || expected.includes(status)))
        return answer;
      const later = answer === undefined || status >= 500 || status === 429;
      if (answer !== undefined && (!later || attempt === TRIES)) {
        throw new S3Error(request, status, await textOf(answer));
      }
      answer?.resume();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }

  return {
    send,
    async text(request, expected) {
      const answer = await send(request, expected);
      const status = answer.statusCode ?? 0;
      const text = await textOf(answer);
      // S3 may answer 200 with an error in the body.
      if (status === 200 && /^\s*(<\?xml[^>]*>)?\s*<Error>/.test(text))
        throw new S3Error(request, status, text);
      return { status, text, etag: answer.headers.etag ?? '' };
    },
  };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.byteLength;
    if (length > ANSWER_MAX) throw new StorageError('unreachable');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The text of the first element of this name in an answer of S3. */
export function xmlText(xml: string, name: string): string | undefined {
  return xmlAll(xml, name)[0];
}

/** The contents of all elements of this name. S3 never nests elements of the same name. */
export function xmlAll(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([\\s\\S]*?)</${name}>`, 'g'));
  return [...found].map(([, content = '']) => content.replace(/&(\w+|#\d+|#x[\da-f]+);/gi, decoded));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(entity: string, name: string): string {
  if (name.startsWith('#x')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
  if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)));
  return ENTITIES[name] ?? entity;
}
