import {
  allowsMetaTransform,
  LISTED_MEDIA_TYPES,
  LISTED_STREAM_MEDIA_TYPES,
  negotiate,
  YAML_MEDIA_TYPE,
} from '@binnacle/apimachinery/serializer';
import { notAcceptable, notAcceptableRepresentation } from '@binnacle/apimachinery/status';
import type { RequestContext } from '../http/index.js';

/** What an answer looks like. */
export interface Representation {
  readonly mediaType: 'application/json' | 'application/yaml';
  /** Another shape than the object itself. */
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | undefined;
  /** Version of meta.k8s.io for {@link as}. */
  readonly version: 'v1' | 'v1beta1';
}

const options = { allowsTransform: allowsMetaTransform };

/** Chooses by the Accept header; throws 406 when nothing fits. `stream`: a watch is to be answered. */
export function negotiateRepresentation(context: RequestContext, stream = false): Representation {
  const { accept } = context.exchange.headers;
  const chosen = negotiate(accept, options);
  if (chosen === undefined) throw nothingFits(accept ?? '', stream);
  const as = chosen.convert?.kind;
  return {
    mediaType: chosen.mediaType === YAML_MEDIA_TYPE ? 'application/yaml' : 'application/json',
    as: as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? as : undefined,
    version: chosen.convert?.version === 'v1beta1' ? 'v1beta1' : 'v1',
  };
}

/** Upstream's router answers for media types it has never heard of, its serializers for shapes they cannot give. */
function nothingFits(accept: string, stream: boolean): Error {
  const known = LISTED_MEDIA_TYPES.some((mediaType) => accept.includes(mediaType)) || accept.includes('*');
  if (!known) return notAcceptableRepresentation(LISTED_MEDIA_TYPES);
  return notAcceptable(stream ? LISTED_STREAM_MEDIA_TYPES : LISTED_MEDIA_TYPES);
}
