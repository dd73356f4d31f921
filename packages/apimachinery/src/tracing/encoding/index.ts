export { encodeSpans, type SpanResource } from './encode-spans.js';
