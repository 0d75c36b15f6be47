/** Traces by OpenTelemetry. Loaded by `tracing.ts` where they are switched on, and by nothing else. */
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

/** What is traced. Attributes are ids, kinds and numbers: no names of people or files, no addresses, no texts of errors. */
export interface Traced {
  name: string;
  kind?: 'server' | 'internal' | 'consumer';
  /** The `traceparent` of what caused it; without it, what this code runs in. */
  parent?: string | null | undefined;
  attributes?: Record<string, string | number | boolean | null | undefined>;
}

export interface OpenSpan {
  /** Runs code within it: what that traces, and the rows that it writes, belong to it. */
  run<T>(work: () => T): T;
  end(more?: { attributes?: Traced['attributes']; fault?: string | undefined }): void;
}

export interface Tracing {
  begin(what: Traced): OpenSpan;
  /** The `traceparent` of what this code runs in; undefined where it is not traced. */
  current(): string | undefined;
  /** Sends what is left. */
  stop(): Promise<void>;
}

const kinds = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, consumer: SpanKind.CONSUMER } as const;

const parentOf = (parent: string | null | undefined): Context =>
  parent ? propagation.extract(ROOT_CONTEXT, { traceparent: parent }) : context.active();

const known = (attributes: Traced['attributes'] = {}): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(attributes).filter((pair): pair is [string, string | number | boolean] => pair[1] != null),
  );

export interface TracingOptions {
  /** Name of the process, unless OTEL_SERVICE_NAME names it. */
  service: string;
  version: string;
  /** Told when traces cannot be sent, at most once a minute. */
  warn: (message: string) => void;
}

const quietMs = 60_000;

/** Starts to trace and to send by OTLP over HTTP, to where the OTEL_* variables say. */
export function openTracing({ service, version, warn }: TracingOptions): Tracing {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const tell = (message: string): void => {
    if (performance.now() - warnedAt < quietMs) return;
    warnedAt = performance.now();
    warn(message);
  };
  const silent = (): void => undefined;
  diag.setLogger({ error: tell, warn: tell, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN);
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  const tracer = provider.getTracer('pdf2press', version);
  return {
    begin: ({ name, kind = 'internal', parent, attributes }) => {
      const around = parentOf(parent);
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: known(attributes) }, around);
      return {
        run: (work) => context.with(trace.setSpan(around, span), work),
        end: ({ attributes: more, fault } = {}) => {
          span.setAttributes(known(more));
          if (fault !== undefined) {
            span.setAttribute('error.type', fault);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
    current: () => {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent;
    },
    stop: () => provider.shutdown(),
  };
}
