import { createHash } from 'node:crypto';
import { indentJson, type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import {
  formatMediaType,
  listedMediaTypes,
  negotiate,
  PROTOBUF_MEDIA_TYPE,
  type Serializer,
} from '@binnacle/apimachinery/serializer';
import { notAcceptable } from '@binnacle/apimachinery/status';
import { writeDocument, writeResponse } from '../http/index.js';
import type { RequestContext, ResponseHeaders } from '../request/index.js';

/** The bytes of one document, shared by all requests. */
export class DiscoveryDocument {
  readonly json: Buffer;
  #etag: string | undefined;

  constructor(json: string) {
    this.json = Buffer.from(json);
  }

  /** Quoted, as in the header. */
  get etag(): string {
    this.#etag ??= `"${createHash('sha512').update(this.json).digest('hex').toUpperCase()}"`;
    return this.#etag;
  }
}

/**
 * The only aggregated form is v2. Upstream disabled v2beta1 for good in 1.35, and clients that know only it get the
 * plain document.
 */
function isAggregated({ group, version, kind }: GroupVersionKind): boolean {
  return group === 'apidiscovery.k8s.io' && version === 'v2' && kind === 'APIGroupDiscoveryList';
}

/** The forms in which a path is available. */
export interface DiscoveryDocuments {
  /** The media types on offer. Discovery has no protobuf form here; clients that ask for it also accept JSON. */
  readonly serializers: readonly Serializer[];
  readonly plain: () => DiscoveryDocument;
  readonly aggregated?: () => DiscoveryDocument;
}

/**
 * Sends the plain document, or the aggregated one if it exists and the client prefers it. The aggregated form has an
 * ETag, and a client that sends it back gets 304. Throws 406 when no form is acceptable.
 * Upstream: apiserver `pkg/endpoints/discovery/aggregated`.
 */
export async function respondDiscovery(
  context: RequestContext,
  { serializers, plain, aggregated }: DiscoveryDocuments,
): Promise<void> {
  const mediaType = negotiate(context.exchange.headers.accept, {
    serializers: serializers.filter((each) => each.mediaType !== PROTOBUF_MEDIA_TYPE),
    allowsTransform: (_, convert) => convert === undefined || (aggregated !== undefined && isAggregated(convert)),
  });
  if (mediaType === undefined) throw notAcceptable(listedMediaTypes(serializers));
  const headers: Record<string, string> = { 'content-type': formatMediaType(mediaType) };
  let document = plain;
  if (mediaType.convert !== undefined && aggregated !== undefined) {
    document = aggregated;
    const { etag } = document();
    Object.assign(headers, { etag, vary: 'Accept', 'cache-control': 'public' });
    if (context.exchange.headers['if-none-match'] === etag) {
      await writeResponse(context, 304, without(headers, 'content-type'), '');
      return;
    }
  }
  await writeDocument(context, mediaType, document().json, headers);
}

/** Documents that are not API types are always indented JSON. */
export function respondRaw(context: RequestContext, document: JsonObject): void | Promise<void> {
  return writeResponse(context, 200, { 'content-type': 'application/json' }, indentJson(stringifyJson(document)));
}

function without(headers: ResponseHeaders, name: string): ResponseHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}
