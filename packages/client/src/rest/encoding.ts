import { type JsonValue, readJson, stringifyJson } from '@binnacle/apimachinery/json';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { readLines } from '../transport/index.js';

/** How answers of one media type are read. */
export interface Format {
  readonly mediaType: string;
  /** A whole document. Throws when it is none. */
  decode(body: Uint8Array): JsonValue;
  /** The events of a watch as they arrive, each for {@link decodeEvent}. Throws for a stream that is none, and for an event of absurd size. */
  frames(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** An object of `type` and `object`. Throws when it is none. */
  decodeEvent(frame: Uint8Array): JsonValue;
}

export interface EncodedBody {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** What a client speaks: what it asks for, and how it sends objects. Patches are JSON whatever it is. */
export interface Encoding {
  /** What answers may be in, the preferred one first. What an answer is in, it says itself; what says none of these is read as JSON. */
  readonly formats: readonly Format[];
  encode(object: unknown): EncodedBody;
  /** What to speak about objects of this kind. */
  ofKind(kind: GroupVersionKind): Encoding;
}

export const jsonFormat: Format = {
  mediaType: JSON_MEDIA_TYPE,
  decode: readJson,
  frames: readLines,
  decodeEvent: readJson,
};

/** What clients speak unless they are told otherwise. */
export const jsonEncoding: Encoding = {
  formats: [jsonFormat],
  // Objects of interfaces are JSON, but TypeScript cannot see that of interfaces.
  encode: (object) => ({ contentType: JSON_MEDIA_TYPE, body: stringifyJson(object as JsonValue) }),
  ofKind: () => jsonEncoding,
};

/** What an answer of this content type is read by. */
export function formatOf({ formats }: Encoding, contentType: string | undefined): Format {
  return formats.find(({ mediaType }) => contentType?.startsWith(mediaType) === true) ?? jsonFormat;
}
