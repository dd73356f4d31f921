import type * as protobuf from '@binnacle/apimachinery/protobuf';

type ProtobufCode = typeof protobuf;

let code: ProtobufCode | undefined;

/** Settles when {@link protobufCode} can be called; undefined = it can. Most servers never need it, and no start waits for it. */
export function protobufLoading(): Promise<void> | undefined {
  return code === undefined ? loadProtobuf() : undefined;
}

async function loadProtobuf(): Promise<void> {
  code = await import('@binnacle/apimachinery/protobuf');
}

/** The codec of protobuf, for those who have waited for it. */
export function protobufCode(): ProtobufCode {
  if (code === undefined) throw new Error('nobody has waited for the codec of protobuf');
  return code;
}
