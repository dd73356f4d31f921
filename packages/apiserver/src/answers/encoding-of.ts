import { CBOR_MEDIA_TYPE, PROTOBUF_MEDIA_TYPE, YAML_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { wantsPretty } from '../http/index.js';
import type { RequestContext } from '../request/index.js';
import type { Encoding, StreamEncoding } from './encoding.js';
import { jsonEncoding } from './json-encoding.js';

/**
 * The encoding of an answer in the media type; undefined = no media type fits, so the answer is indented JSON.
 * Returns a promise for everything but plain JSON, because it loads on first use.
 */
export function encodingOf(context: RequestContext, mediaType: string | undefined): Encoding | Promise<Encoding> {
  switch (mediaType) {
    case PROTOBUF_MEDIA_TYPE:
      return protobuf();
    case CBOR_MEDIA_TYPE:
      return cbor();
    case YAML_MEDIA_TYPE:
      return yaml();
    case undefined:
      return indented();
    default:
      return wantsPretty(context) ? indented() : jsonEncoding;
  }
}

/** The encoding of a watch in the media type. Streams are never indented. */
export function streamEncodingOf(mediaType: string): StreamEncoding | Promise<StreamEncoding> {
  switch (mediaType) {
    case PROTOBUF_MEDIA_TYPE:
      return protobuf();
    case CBOR_MEDIA_TYPE:
      return cbor();
    default:
      return jsonEncoding;
  }
}

const protobuf = once(async () => (await import('./protobuf-encoding.js')).protobufEncoding);
const cbor = once(async () => (await import('./cbor-encoding.js')).cborEncoding);
const yaml = once(async () => (await import('./text-encodings.js')).yamlEncoding);
const indented = once(async () => (await import('./text-encodings.js')).indentedEncoding);

/** Remembers a loaded module: `import()` is too slow for every answer. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
