import { CBOR_MEDIA_TYPE, PROTOBUF_MEDIA_TYPE, YAML_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { type RequestContext, wantsPretty } from '../http/index.js';
import type { Encoding, StreamEncoding } from './encoding.js';
import { jsonEncoding } from './json-encoding.js';

/** Of an answer in the media type. A promise only for what is loaded with its first use: everything but plain JSON. */
export function encodingOf(context: RequestContext, mediaType: string | undefined): Encoding | Promise<Encoding> {
  if (mediaType === PROTOBUF_MEDIA_TYPE) return protobufEncoding();
  if (mediaType === CBOR_MEDIA_TYPE) return cborEncoding();
  if (mediaType === YAML_MEDIA_TYPE) return import('./text-encodings.js').then(({ yamlEncoding }) => yamlEncoding);
  if (wantsPretty(context)) return import('./text-encodings.js').then(({ indentedEncoding }) => indentedEncoding);
  return jsonEncoding;
}

/** Of a watch in the media type. Streams that are asked for in YAML are JSON, and never indented. */
export function streamEncodingOf(mediaType: string): StreamEncoding | Promise<StreamEncoding> {
  if (mediaType === CBOR_MEDIA_TYPE) return cborEncoding();
  return mediaType === PROTOBUF_MEDIA_TYPE ? protobufEncoding() : jsonEncoding;
}

let loaded: Promise<StreamEncoding> | undefined;

/** Asking for a module costs a little each time, too much for every answer. */
function protobufEncoding(): Promise<StreamEncoding> {
  loaded ??= import('./protobuf-encoding.js').then(({ protobufEncoding: encoding }) => encoding);
  return loaded;
}

async function cborEncoding(): Promise<StreamEncoding> {
  const { cborEncoding: encoding } = await import('./cbor-encoding.js');
  return encoding;
}
