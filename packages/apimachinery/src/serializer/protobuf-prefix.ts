/** The prefix of every object in protobuf. Upstream: apimachinery `runtime/serializer/protobuf`. */
export const PROTOBUF_PREFIX = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** Whether the bytes are an object in protobuf. Does not load the protobuf codec, which is large. */
export function isEnvelope(bytes: Uint8Array): boolean {
  for (let index = 0; index < PROTOBUF_PREFIX.length; index++) {
    if (bytes[index] !== PROTOBUF_PREFIX[index]) return false;
  }
  return true;
}
