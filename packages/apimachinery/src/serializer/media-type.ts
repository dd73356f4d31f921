import type { GroupVersionKind } from '../meta/index.js';

/** A representation that an endpoint can write. */
export interface Serializer {
  /** `application/json` */
  readonly mediaType: string;
  /** Whether it can also frame watch events. */
  readonly streams: boolean;
  /** The media type of such a stream, if it is not the media type with `;stream=watch`. */
  readonly streamMediaType?: string;
}

export const JSON_MEDIA_TYPE = 'application/json';
export const YAML_MEDIA_TYPE = 'application/yaml';
export const PROTOBUF_MEDIA_TYPE = 'application/vnd.kubernetes.protobuf';

export const CBOR_MEDIA_TYPE = 'application/cbor';

/** The media type of apply configurations: YAML, which includes JSON. */
const APPLY_YAML_MEDIA_TYPE = 'application/apply-patch+yaml';
export const APPLY_CBOR_MEDIA_TYPE = 'application/apply-patch+cbor';

/** The representations the server writes, most preferred first. The first answers a request without a preference. */
export const SERIALIZERS: readonly Serializer[] = [
  { mediaType: JSON_MEDIA_TYPE, streams: true },
  { mediaType: YAML_MEDIA_TYPE, streams: false },
  { mediaType: PROTOBUF_MEDIA_TYPE, streams: true },
];

/** The representations with upstream's `CBORServingAndStorage`. */
export const SERIALIZERS_WITH_CBOR: readonly Serializer[] = [
  ...SERIALIZERS,
  { mediaType: CBOR_MEDIA_TYPE, streams: true, streamMediaType: 'application/cbor-seq' },
];

/** The media types that upstream's errors list for resources. */
export function listedMediaTypes(serializers: readonly Serializer[]): readonly string[] {
  return serializers.map(({ mediaType }) => mediaType);
}

/** The media types that upstream's errors list for watches. */
export function listedStreamMediaTypes(serializers: readonly Serializer[]): readonly string[] {
  return serializers
    .filter(({ streams }) => streams)
    .map(({ mediaType, streamMediaType }) => streamMediaType ?? `${mediaType};stream=watch`);
}

/** The media types of apply configurations, if the server reads these representations. */
export function applyMediaTypes(serializers: readonly Serializer[]): readonly string[] {
  const hasCbor = serializers.some(({ mediaType }) => mediaType === CBOR_MEDIA_TYPE);
  return hasCbor ? [APPLY_YAML_MEDIA_TYPE, APPLY_CBOR_MEDIA_TYPE] : [APPLY_YAML_MEDIA_TYPE];
}

/** The representation that a request and an endpoint agree on. */
export interface MediaType {
  readonly mediaType: string;
  /** Requested by a parameter of the media type; see also `isPretty`. */
  readonly pretty: boolean;
  /** `watch`, or empty. */
  readonly stream: string;
  /** `as=Table;g=meta.k8s.io;v=v1`: the kind to convert the response to. Absent parts are empty. */
  readonly convert: GroupVersionKind | undefined;
  /** For discovery: `nopeer`, or empty. */
  readonly profile: string;
}

/**
 * The content type of a response. A converted one names its kind, if the endpoint (aggregated discovery) requires it.
 */
export function formatMediaType(mediaType: MediaType): string {
  const { convert } = mediaType;
  if (convert === undefined) return mediaType.mediaType;
  const group = convert.group === '' ? '' : `;g=${convert.group}`;
  const version = convert.version === '' ? '' : `;v=${convert.version}`;
  const kind = convert.kind === '' ? '' : `;as=${convert.kind}`;
  return mediaType.mediaType + group + version + kind;
}
