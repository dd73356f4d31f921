import { Buffer } from 'node:buffer';

/** The first bytes of every object in CBOR, on the wire and in the store: the tag 55799 of self-described CBOR. */
export const CBOR_PREFIX = Uint8Array.of(0xd9, 0xd9, 0xf7);

/** Whether the bytes are an object in CBOR. Does not load the CBOR codec. */
export function isCbor(bytes: Uint8Array): boolean {
  return CBOR_PREFIX.every((byte, index) => bytes[index] === byte);
}

/** The prefix of every object in protobuf. Upstream: apimachinery `runtime/serializer/protobuf`. */
export const PROTOBUF_PREFIX = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** Whether the bytes are an object in protobuf. Does not load the protobuf codec, which is large. */
export function isEnvelope(bytes: Uint8Array): boolean {
  for (let index = 0; index < PROTOBUF_PREFIX.length; index++) {
    if (bytes[index] !== PROTOBUF_PREFIX[index]) return false;
  }
  return true;
}

/** The prefix of every encrypted value in the store. Upstream: apiserver `pkg/storage/value/encrypt/identity`. */
const ENCRYPTED_PREFIX = Buffer.from('k8s:enc:');

/** Whether a stored value is encrypted. Protobuf has a zero byte after `k8s`. */
export function isEncrypted(bytes: Uint8Array): boolean {
  return ENCRYPTED_PREFIX.every((byte, index) => bytes[index] === byte);
}
