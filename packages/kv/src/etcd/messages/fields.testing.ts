/** The varint of a number of 0 or more. */
function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

/** One field in protobuf's wire format: a number, or bytes, a text or a nested message. */
export function field(number: number, value: number | bigint | string | Buffer): Buffer {
  if (typeof value === 'number' || typeof value === 'bigint') return Buffer.concat([varint(number * 8), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** A message of these fields. */
export const message = (...fields: readonly Buffer[]): Buffer => Buffer.concat(fields);

/** The header of every response, with its revision. */
export const header = (revision: number): Buffer => field(1, message(field(1, 77), field(2, 88), field(3, revision)));

/** A KeyValue of `mvccpb`. */
export function keyValue(key: string, value: string, createRevision: number, modRevision: number): Buffer {
  const version = field(4, 3);
  return message(
    field(1, key),
    field(2, createRevision),
    field(3, modRevision),
    version,
    field(5, value),
    field(6, 12345678901234567890n),
  );
}
