import { type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import { CBOR_MEDIA_TYPE, isCbor, type JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { cborCodec } from './lazy-codec.js';

/** In which encoding objects without a type are written to the store. Either is read, whatever is written. */
export type DocumentMediaType = typeof JSON_MEDIA_TYPE | typeof CBOR_MEDIA_TYPE;

/** Settles when {@link readStoredDocument} can be given the value; undefined = it can. */
export function documentLoading(value: Uint8Array): Promise<void> | undefined {
  return isCbor(value) ? cborCodec.loading() : undefined;
}

/** A value in JSON, or in CBOR, in which upstream stores custom resources with its gate on and reads them with it off. */
export function readStoredDocument(value: Uint8Array): JsonValue {
  return isCbor(value) ? cborCodec.code.decodeCbor(value).value : parseJson(value).value;
}

/** Settles when {@link writeStoredDocument} can be called; undefined = it can. */
export function documentWriting(mediaType: DocumentMediaType): Promise<void> | undefined {
  return mediaType === CBOR_MEDIA_TYPE ? cborCodec.loading() : undefined;
}

/** What is stored for an object of these canonical bytes. */
export function writeStoredDocument(canonical: Uint8Array, mediaType: DocumentMediaType): Uint8Array {
  return mediaType === CBOR_MEDIA_TYPE ? cborCodec.code.encodeCbor(parseJson(canonical).value) : canonical;
}
