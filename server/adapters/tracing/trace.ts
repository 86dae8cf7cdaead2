import { type Attributes, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

export const TRACER = 'lintel';

let isOn = false;

/** Whether traces are recorded. */
export function isTracing(): boolean {
  return isOn;
}

/** Called by `startTracing` alone. */
export function setTracing(on: boolean): void {
  isOn = on;
}

/** Runs work as a span of the trace in progress, if traces are recorded. */
export function traced<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isOn) return work();
  return trace.getTracer(TRACER).startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed: with the kind of error only, because messages may contain what people typed. */
export function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (error instanceof Error) span.setAttribute('error.type', error.name);
}

/** The fields of a log line that link to its trace; none outside of a trace. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const context = isOn ? trace.getActiveSpan()?.spanContext() : undefined;
  return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
}
