import { type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import { CBOR_MEDIA_TYPE, isCbor, isEncrypted, type JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { cborCodec } from './lazy-codec.js';

/** The encoding in which untyped objects are written to the store. The server reads both, whichever it writes. */
export type DocumentMediaType = typeof JSON_MEDIA_TYPE | typeof CBOR_MEDIA_TYPE;

/** Settles when {@link readStoredDocument} can read the value; undefined = already. */
export function documentLoading(value: Uint8Array): Promise<void> | undefined {
  return isCbor(value) ? cborCodec.loading() : undefined;
}

/**
 * Reads a value in JSON or CBOR. Upstream stores custom resources in CBOR with its gate on, and reads them with it
 * off.
 */
export function readStoredDocument(value: Uint8Array): JsonValue {
  if (isEncrypted(value)) throw new Error('identity transformer tried to read encrypted data');
  return isCbor(value) ? cborCodec.code.decodeCbor(value).value : parseJson(value).value;
}

/** Settles when {@link writeStoredDocument} can be called; undefined = already. */
export function documentWriting(mediaType: DocumentMediaType): Promise<void> | undefined {
  return mediaType === CBOR_MEDIA_TYPE ? cborCodec.loading() : undefined;
}

/** The stored bytes of an object with these canonical bytes. */
export function writeStoredDocument(canonical: Uint8Array, mediaType: DocumentMediaType): Uint8Array {
  return mediaType === CBOR_MEDIA_TYPE ? cborCodec.code.encodeCbor(parseJson(canonical).value) : canonical;
}
