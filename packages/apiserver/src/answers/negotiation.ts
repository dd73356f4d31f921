import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import {
  acceptsExactly,
  allowsMetaTransform,
  listedMediaTypes,
  listedStreamMediaTypes,
  type MediaType,
  negotiate,
  PROTOBUF_MEDIA_TYPE,
  type Serializer,
} from '@binnacle/apimachinery/serializer';
import { notAcceptable, notAcceptableRepresentation } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../codec/index.js';
import type { RequestContext } from '../request/index.js';

/** The media type and shape of an answer. */
export interface Representation {
  readonly mediaType: string;
  /** The requested shape, if not the object itself. */
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | undefined;
  /** The version of meta.k8s.io for {@link as}. */
  readonly version: 'v1' | 'v1beta1';
}

export interface RepresentationOptions {
  /** Whether the answer is a watch. */
  readonly stream?: boolean;
  /** Whether the answer is not a listable object, and so has no table. Only for typed kinds. */
  readonly withoutTable?: boolean;
}

/** Chooses the representation of an object of the codec's kind by the Accept header; throws 406 when none fits. */
export function negotiateRepresentation(
  context: RequestContext,
  codec: KindCodec,
  { stream = false, withoutTable = false }: RepresentationOptions = {},
): Representation {
  const { serializers } = context;
  const { accept } = context.exchange.headers;
  const allowsTyped = withoutTable ? allowsNoTable : allowsMetaTransform;
  const allowsTransform = codec.untyped === true ? allowsUntyped : allowsTyped;
  if (codec.untyped !== true) checkOffered(context);
  const chosen = negotiate(accept, { serializers, allowsTransform });
  if (chosen === undefined) throw nothingFits(accept ?? '', stream, serializers);
  if (stream && !serializers.some(({ mediaType, streams }) => streams && mediaType === chosen.mediaType)) {
    throw notAcceptable(listedStreamMediaTypes(serializers));
  }
  return representationOf(chosen);
}

/** The media type of a Status. It never fails, because the Status may itself report the failure. */
export function negotiateStatus(context: RequestContext): string | undefined {
  return negotiate(context.exchange.headers.accept, { serializers: context.serializers })?.mediaType;
}

function representationOf({ mediaType, convert }: MediaType): Representation {
  const as = convert?.kind;
  return {
    mediaType,
    as: as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? as : undefined,
    version: convert?.version === 'v1beta1' ? 'v1beta1' : 'v1',
  };
}

function allowsNoTable(mediaType: string, convert: GroupVersionKind | undefined): boolean {
  return convert?.kind !== 'Table' && allowsMetaTransform(mediaType, convert);
}

/** Custom resources support protobuf only for metadata. Upstream: apiextensions `StandardSerializers`. */
function allowsUntyped(mediaType: string, convert: GroupVersionKind | undefined): boolean {
  return allowsMetaTransform(mediaType, convert) && (convert !== undefined || mediaType !== PROTOBUF_MEDIA_TYPE);
}

/** Upstream's router of built-in resources lists what it offers, for a collection also the types of a watch. */
function checkOffered({ exchange, info, serializers }: RequestContext): void {
  const listed = listedMediaTypes(serializers);
  if (acceptsExactly(exchange.headers.accept, listed)) return;
  const isCollection = info.verb === 'list' || info.verb === 'watch';
  throw notAcceptableRepresentation(isCollection ? [...listed, ...listedStreamMediaTypes(serializers)] : listed);
}

/**
 * Upstream's router refuses unknown media types, and its serializers refuse unsupported shapes, in different words.
 */
function nothingFits(accept: string, stream: boolean, serializers: readonly Serializer[]): Error {
  const listed = listedMediaTypes(serializers);
  const known = listed.some((mediaType) => accept.includes(mediaType)) || accept.includes('*');
  if (!known) return notAcceptableRepresentation(listed);
  return notAcceptable(stream ? listedStreamMediaTypes(serializers) : listed);
}
