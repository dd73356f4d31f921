import { DELIMITED, FIXED32, FIXED64, tagOf, VARINT, type WireWriter, writeMessage } from '../../protobuf/index.js';
import type { EndedSpan, SpanAttributes, SpanKind } from '../span.js';
import type { TraceContext } from '../trace-context.js';

/** The program whose spans these are. */
export type SpanResource = Readonly<Record<string, string>>;

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
/** Flags of a span: sampled, whether it is known that the parent is remote, and whether it is. */
const SAMPLED = 0x1;
const REMOTE_IS_KNOWN = 0x100;
const IS_REMOTE = 0x200;
const NANOSECONDS = 1_000_000n;

/**
 * The message that asks a collector to take the spans. The writer goes backwards: fields by descending number, value before
 * tag. Upstream: `ExportTraceServiceRequest` of opentelemetry-proto 1.
 */
export function encodeSpans(resource: SpanResource, scope: string, spans: readonly EndedSpan[]): Buffer {
  return writeMessage((request) =>
    writeNested(request, 1, (resourceSpans) => {
      writeNested(resourceSpans, 2, (scopeSpans) => {
        for (const span of spans.toReversed()) writeNested(scopeSpans, 2, (writer) => writeSpan(writer, span));
        writeNested(scopeSpans, 1, (writer) => writeText(writer, 1, scope));
      });
      writeNested(resourceSpans, 1, (writer) => writeAttributes(writer, 1, resource));
    }),
  );
}

function writeSpan(writer: WireWriter, span: EndedSpan): void {
  writeFlags(writer, 16, SAMPLED | REMOTE_IS_KNOWN | (span.isParentRemote ? IS_REMOTE : 0));
  if (span.link !== undefined) writeLink(writer, span.link);
  for (const { name, at } of span.events.toReversed()) {
    writeNested(writer, 11, (event) => {
      writeText(event, 2, name);
      writeTime(event, 1, at);
    });
  }
  writeAttributes(writer, 9, span.attributes);
  writeTime(writer, 8, span.end);
  writeTime(writer, 7, span.start);
  writer.varint(KINDS[span.kind]);
  writer.varint(tagOf(6, VARINT));
  writeText(writer, 5, span.name);
  writeIdentifier(writer, 4, span.parentSpanId ?? '');
  writeText(writer, 3, span.context.state);
  writeIdentifier(writer, 2, span.context.spanId);
  writeIdentifier(writer, 1, span.context.traceId);
}

function writeLink(writer: WireWriter, { traceId, spanId, isSampled, state }: TraceContext): void {
  writeNested(writer, 13, (link) => {
    writeFlags(link, 6, REMOTE_IS_KNOWN | IS_REMOTE | (isSampled ? SAMPLED : 0));
    writeText(link, 3, state);
    writeIdentifier(link, 2, spanId);
    writeIdentifier(link, 1, traceId);
  });
}

function writeAttributes(writer: WireWriter, number: number, attributes: SpanAttributes): void {
  for (const [name, value] of Object.entries(attributes).toReversed()) {
    writeNested(writer, number, (attribute) => {
      writeNested(attribute, 2, (any) => writeValue(any, value));
      writeText(attribute, 1, name);
    });
  }
}

/** An empty text is written too, because it makes the value a text. */
function writeValue(writer: WireWriter, value: string | number): void {
  if (typeof value === 'string') {
    writer.string(value);
    writer.varint(tagOf(1, DELIMITED));
  } else {
    writer.integer(Math.trunc(value));
    writer.varint(tagOf(3, VARINT));
  }
}

function writeNested(writer: WireWriter, number: number, fill: (writer: WireWriter) => void): void {
  const { size } = writer;
  fill(writer);
  writer.lengthSince(size);
  writer.varint(tagOf(number, DELIMITED));
}

function writeText(writer: WireWriter, number: number, text: string): void {
  if (text === '') return;
  writer.string(text);
  writer.varint(tagOf(number, DELIMITED));
}

/** `digits`: hexadecimal. */
function writeIdentifier(writer: WireWriter, number: number, digits: string): void {
  if (digits === '') return;
  const bytes = Buffer.from(digits, 'hex');
  writer.bytes(bytes);
  writer.varint(bytes.length);
  writer.varint(tagOf(number, DELIMITED));
}

/** Unix nanoseconds. */
function writeTime(writer: WireWriter, number: number, milliseconds: number): void {
  const whole = Math.floor(milliseconds);
  const nanoseconds = BigInt(whole) * NANOSECONDS + BigInt(Math.round((milliseconds - whole) * 1e6));
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, nanoseconds));
  writer.bytes(bytes);
  writer.varint(tagOf(number, FIXED64));
}

function writeFlags(writer: WireWriter, number: number, flags: number): void {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(flags);
  writer.bytes(bytes);
  writer.varint(tagOf(number, FIXED32));
}
