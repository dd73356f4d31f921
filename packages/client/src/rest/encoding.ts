import { type JsonValue, readJson, stringifyJson } from '@binnacle/apimachinery/json';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { readLines } from '../transport/index.js';

/** Reads responses of one media type. */
export interface Format {
  readonly mediaType: string;
  /** Decodes a whole body. Throws if it is invalid. */
  decode(body: Uint8Array): JsonValue;
  /** Yields the events of a watch as they arrive, for {@link decodeEvent}. Throws for an invalid stream and for an oversized event. */
  frames(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Decodes an event into `type` and `object`. Throws if it is invalid. */
  decodeEvent(frame: Uint8Array): JsonValue;
}

export interface EncodedBody {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** The media types that a client accepts, and the one in which it sends objects. Patches are always JSON. */
export interface Encoding {
  /** The accepted formats, preferred first. A response is read by its content type; an unknown one is read as JSON. */
  readonly formats: readonly Format[];
  encode(object: unknown): EncodedBody;
  /** The encoding for objects of this kind; undefined = of a kind that the caller does not know. */
  ofKind(kind: GroupVersionKind | undefined): Encoding;
}

export const jsonFormat: Format = {
  mediaType: JSON_MEDIA_TYPE,
  decode: readJson,
  frames: readLines,
  decodeEvent: readJson,
};

/** The default encoding. */
export const jsonEncoding: Encoding = {
  formats: [jsonFormat],
  // Objects of interfaces are JSON, which TypeScript cannot infer.
  encode: (object) => ({ contentType: JSON_MEDIA_TYPE, body: stringifyJson(object as JsonValue) }),
  ofKind: () => jsonEncoding,
};

/** The format for a content type. */
export function formatOf({ formats }: Encoding, contentType: string | undefined): Format {
  return formats.find(({ mediaType }) => contentType?.startsWith(mediaType) === true) ?? jsonFormat;
}
