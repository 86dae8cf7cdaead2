import type { AnyTRPCRouter as AnyRouter } from '@trpc/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { Receiver } from '../../features/files/receive.ts';
import type { Context, Services } from '../../kernel/context.ts';
import { CALL_LIMITS, type CallLimits } from '../call-limits.ts';
import { ConcurrencyLimit } from '../concurrency.ts';
import type { Downloads } from '../downloads/downloads.ts';
import { API_ADDRESS, API_PREFIX } from './address.ts';
import { answerContent } from './answer-content.ts';
import { answerRead } from './answer-read.ts';
import { answerUpload, UPLOADS_AT_ONCE } from './answer-upload.ts';
import { answerCreate, answerEdit } from './answer-write.ts';
import { type ApiCall, procedureCalls } from './api-call.ts';
import { type Caller, createAuthentication } from './authenticate.ts';
import { BODY_TYPES, errorsByField, fieldsOf } from './fields.ts';
import { openApiDocument } from './open-api.ts';
import { isContent, isUpload, neededPermissions, type Operation } from './operation.ts';
import { operations } from './operations.ts';
import { errorsByParameter, parametersOf, queryOf } from './parameters.ts';
import { sendProblem } from './problem.ts';
import { referencePage } from './reference-page.ts';
import { type Errors, refuse } from './refuse.ts';

const VERSION = API_ADDRESS.slice(API_PREFIX.length);
const PUBLIC = 'public, max-age=300';

/**
 * Mounts the API for other programs: operations that call the app's own procedures with the key's permissions and buildings,
 * their description, and a page to read. Its only rule is that a key needs the permissions that the description names; all other
 * guards, schemas and limits are the procedures'.
 * @param router the procedures
 * @param options.receiver receives files
 * @param options.downloads watches the files that are being sent
 */
export async function mountRestApi(
  app: FastifyInstance,
  services: Services,
  router: AnyRouter,
  options: { receiver: Receiver; downloads: Downloads; limits?: CallLimits | undefined },
): Promise<void> {
  const { receiver, downloads, limits = CALL_LIMITS } = options;
  const { authenticate, countByNetwork } = createAuthentication(services, limits);
  const files = { receiver, downloads, limit: new ConcurrencyLimit(UPLOADS_AT_ONCE) };

  function contextOf(request: FastifyRequest, { actor, reread, recalled }: Caller): Context {
    return {
      services,
      actor,
      recalled,
      reread,
      requestId: request.id,
      ...services.clientOf(request.raw),
      setCookie: () => undefined,
    };
  }

  function mount(scope: FastifyInstance, operation: Operation): void {
    const { answer, errorsOf } = handlerOf(operation, files);
    const hasFile = isUpload(operation);
    const isList = operation.method === 'get' && operation.answers === 'many';
    scope.route<{ Params: Record<string, string> }>({
      method: operation.method === 'get' ? ['GET', 'HEAD'] : operation.method,
      exposeHeadRoute: false,
      url: VERSION + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      // Not compressed: an object that is sent both compressed and plain is two representations, which need different tags (RFC
      // 9110, 8.8.3.3), and the ranges of a file would be those of its compressed form.
      ...(!isList && { compress: false }),
      ...(hasFile && { bodyLimit: Number.MAX_SAFE_INTEGER }),
      async handler(request, reply) {
        try {
          const caller = await authenticate({ request, reply, hasFile });
          const { permissions } = caller.actor;
          // Before anything is read, because an edit can answer a repeated call without running its command.
          if (!neededPermissions(operation).every((one) => permissions.includes(one))) {
            throw new AppError('forbidden');
          }
          const calls = procedureCalls(router, contextOf(request, caller), reply);
          reply.header('cache-control', 'private, no-cache');
          return await answer({ request, reply, key: caller.key, ...calls });
        } catch (cause) {
          // The rest of a refused file is dropped, so that its sender reads the answer.
          if (hasFile) request.raw.resume();
          return refuse(cause, request, reply, (errors) => errorsOf(errors, request));
        }
      },
    });
  }

  await app.register(
    async (scope) => {
      scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) =>
        refuse(error, request, reply),
      );
      // A body stays a text here: it is parsed where its errors are reported.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser([...BODY_TYPES], { parseAs: 'string' }, (_request, body, done) =>
        done(null, body),
      );
      // Runs before the body of a request is read, so that no body is read for a request that is refused here.
      scope.addHook('onRequest', async (request, reply) => {
        const { method } = request;
        const allowed = methodsAt(request.url.split('?', 1)[0] ?? '');
        if (allowed.length === 0) return refuse(new AppError('not_found'), request, reply);
        if (allowed.includes(method)) return undefined;
        reply.header('allow', allowed.join(', '));
        return sendProblem(reply, 405, { code: 'unsupported' });
      });
      // Answers all other addresses below the prefix, which would otherwise get the app's page.
      for (const url of ['', '/*']) {
        scope.route({
          method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
          url,
          handler: (request, reply) => refuse(new AppError('not_found'), request, reply),
        });
      }
      for (const operation of operations) if (!isUpload(operation)) mount(scope, operation);
      await scope.register(async (uploads) => {
        uploads.removeAllContentTypeParsers();
        uploads.addContentTypeParser('*', (_request, body, done) => done(null, body));
        for (const operation of operations) if (isUpload(operation)) mount(uploads, operation);
      });
      for (const [url, type, body] of [
        ['/openapi.json', 'application/json', JSON.stringify(openApiDocument())],
        ['', 'text/html; charset=utf-8', referencePage()],
      ] as const) {
        scope.get(VERSION + url, (request, reply) => {
          countByNetwork(request);
          return reply.header('cache-control', PUBLIC).type(type).send(body);
        });
      }
    },
    { prefix: API_PREFIX },
  );
}

const addresses = operations.map(({ path, method }) => ({
  address: new RegExp(`^${API_ADDRESS}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
}));

/** The methods of an address; none if there is no such address. */
function methodsAt(path: string): string[] {
  const pages = ['', '/openapi.json'].map((url) => API_ADDRESS + url);
  if (pages.includes(path)) return ['GET', 'HEAD'];
  return addresses.flatMap(({ address, methods }) => (address.test(path) ? methods : []));
}

type Handler = {
  answer(call: ApiCall): Promise<unknown>;
  /** Names the wrong parameters or fields, instead of those of the procedure's input. */
  errorsOf(errors: Errors, request: FastifyRequest): Record<string, string>;
};

/** Receives and sends files. */
type Files = { receiver: Receiver; downloads: Downloads; limit: ConcurrencyLimit };

function handlerOf(operation: Operation, files: Files): Handler {
  const parameters = parametersOf(operation);
  const errorsOf: Handler['errorsOf'] = (errors, request) =>
    errorsByParameter(parameters, errors, queryOf(request));
  if (isContent(operation))
    return { answer: (call) => answerContent(operation, parameters, call, files), errorsOf };
  if (isUpload(operation))
    return { answer: (call) => answerUpload(operation, parameters, call, files), errorsOf };
  if (operation.method === 'get')
    return { answer: (call) => answerRead(operation, parameters, call), errorsOf };
  const readable = { parameters, fields: fieldsOf(operation).map(({ name }) => name) };
  return {
    answer: (call) =>
      operation.method === 'post'
        ? answerCreate(operation, readable, call)
        : answerEdit(operation, readable, call),
    errorsOf: (errors) => errorsByField(operation, errors),
  };
}
