import type { WireWriter } from '@binnacle/apimachinery/protobuf';

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;

export function writeString(writer: WireWriter, field: number, text: string): void {
  writer.string(text);
  writer.varint(field * 8 + LENGTH_DELIMITED);
}

export function writeFlag(writer: WireWriter, field: number, value: boolean): void {
  writer.varint(value ? 1 : 0);
  writer.varint(field * 8 + VARINT);
}

export function writeDouble(writer: WireWriter, field: number, value: number): void {
  writer.double(value);
  writer.varint(field * 8 + FIXED64);
}

export function writeInteger(writer: WireWriter, field: number, value: bigint): void {
  writer.integer(value);
  writer.varint(field * 8 + VARINT);
}

/** Writes a nested message; `body` writes its content. */
export function writeNested(writer: WireWriter, field: number, body: () => void): void {
  const before = writer.size;
  body();
  endNested(writer, field, before);
}

/** Makes a nested message of what was written since the writer had the size `before`. */
export function endNested(writer: WireWriter, field: number, before: number): void {
  writer.lengthSince(before);
  writer.varint(field * 8 + LENGTH_DELIMITED);
}
