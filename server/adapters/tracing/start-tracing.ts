import { context, DiagLogLevel, diag, propagation, SpanKind, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { FastifyBaseLogger } from 'fastify';
import { observeStatements } from '#db/statement-observer.ts';
import { markFailed, setTracing, TRACER } from './trace.ts';

/** When the server stops, it waits at most this long for a collector that does not answer. */
const FLUSH_WITHIN_MS = 3_000;

/**
 * Records traces of this process and sends them to a collector over OTLP (HTTP, JSON). These standard variables are used, too:
 * `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`.
 * @param endpoint the collector's address, without `/v1/traces`
 * @returns a function that sends the remaining traces and ends the recording
 */
export function startTracing(
  endpoint: string,
  { log, name, version }: { log: Pick<FastifyBaseLogger, 'warn'>; name: string; version: string },
): () => Promise<void> {
  const warn = (message: string) => log.warn({ message }, 'traces could not be sent');
  const none = () => undefined;
  diag.setLogger(
    { error: warn, warn, info: none, debug: none, verbose: none },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: FLUSH_WITHIN_MS });
  const resource = resourceFromAttributes({ 'service.name': name, 'service.version': version }).merge(
    detectResources({ detectors: [envDetector] }),
  );
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  provider.register();
  const tracer = trace.getTracer(TRACER, version);
  observeStatements((text) => {
    const [verb = ''] = text.trimStart().split(/\s/, 1);
    const span = tracer.startSpan(verb.toUpperCase(), {
      kind: SpanKind.CLIENT,
      // Without the parameters, because these contain texts that people typed.
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
    });
    return (error) => {
      if (error !== undefined) markFailed(span, error);
      span.end();
    };
  });
  setTracing(true);
  return async () => {
    setTracing(false);
    observeStatements(undefined);
    await provider.shutdown().catch((error: unknown) => warn(String(error)));
    for (const api of [trace, context, propagation, diag]) api.disable();
  };
}
