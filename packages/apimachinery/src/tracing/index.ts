export { type EndedSpan, type Span, type SpanAttributes, type SpanKind } from './span.js';
export { readTraceContext, type TraceContext, traceHeaders } from './trace-context.js';
export { Tracer, type TracerOptions } from './tracer.js';
