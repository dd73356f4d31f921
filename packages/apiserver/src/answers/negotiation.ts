import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import {
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
import type { RequestContext } from '../http/index.js';

/** What an answer looks like. */
export interface Representation {
  readonly mediaType: string;
  /** Another shape than the object itself. */
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | undefined;
  /** Version of meta.k8s.io for {@link as}. */
  readonly version: 'v1' | 'v1beta1';
}

export interface RepresentationOptions {
  /** A watch is to be answered. */
  readonly stream?: boolean;
  /** What is answered is no object that one could list, and has no table. Of kinds that are typed. */
  readonly withoutTable?: boolean;
}

/** Chooses by the Accept header how an object of the codec's kind is answered; throws 406 when nothing fits. */
export function negotiateRepresentation(
  context: RequestContext,
  codec: KindCodec,
  { stream = false, withoutTable = false }: RepresentationOptions = {},
): Representation {
  const { serializers } = context;
  const { accept } = context.exchange.headers;
  const allowsTyped = withoutTable ? allowsNoTable : allowsMetaTransform;
  const allowsTransform = codec.untyped === true ? allowsUntyped : allowsTyped;
  const chosen = negotiate(accept, { serializers, allowsTransform });
  if (chosen === undefined) throw nothingFits(accept ?? '', stream, serializers);
  if (stream && !serializers.some(({ mediaType, streams }) => streams && mediaType === chosen.mediaType)) {
    throw notAcceptable(listedStreamMediaTypes(serializers));
  }
  return representationOf(chosen);
}

/** How a Status is answered: never refused, for it may itself say what is wrong. */
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

/** Only metadata of custom resources has a form in protobuf. Upstream: apiextensions `StandardSerializers`. */
function allowsUntyped(mediaType: string, convert: GroupVersionKind | undefined): boolean {
  return allowsMetaTransform(mediaType, convert) && (convert !== undefined || mediaType !== PROTOBUF_MEDIA_TYPE);
}

/** Upstream's router answers for media types it has never heard of, its serializers for shapes they cannot give. */
function nothingFits(accept: string, stream: boolean, serializers: readonly Serializer[]): Error {
  const listed = listedMediaTypes(serializers);
  const known = listed.some((mediaType) => accept.includes(mediaType)) || accept.includes('*');
  if (!known) return notAcceptableRepresentation(listed);
  return notAcceptable(stream ? listedStreamMediaTypes(serializers) : listed);
}
