import type { GroupVersionKind } from '../meta/index.js';

/** A representation that an endpoint can write. */
export interface Serializer {
  /** `application/json` */
  readonly mediaType: string;
  /** Whether it can also frame the events of a watch. */
  readonly streams: boolean;
}

export const JSON_MEDIA_TYPE = 'application/json';
export const YAML_MEDIA_TYPE = 'application/yaml';
export const PROTOBUF_MEDIA_TYPE = 'application/vnd.kubernetes.protobuf';

/** What is written, in order of preference: the first answers a request that does not care. */
export const SERIALIZERS: readonly Serializer[] = [
  { mediaType: JSON_MEDIA_TYPE, streams: true },
  { mediaType: YAML_MEDIA_TYPE, streams: true },
  { mediaType: PROTOBUF_MEDIA_TYPE, streams: true },
];

/** The media types that upstream's errors list for resources. */
export const LISTED_MEDIA_TYPES: readonly string[] = [JSON_MEDIA_TYPE, YAML_MEDIA_TYPE, PROTOBUF_MEDIA_TYPE];

/** Those that its errors list for watches. */
export const LISTED_STREAM_MEDIA_TYPES: readonly string[] = [
  `${JSON_MEDIA_TYPE};stream=watch`,
  `${YAML_MEDIA_TYPE};stream=watch`,
  `${PROTOBUF_MEDIA_TYPE};stream=watch`,
];

/** The representation that a request and an endpoint agreed on. */
export interface MediaType {
  readonly mediaType: string;
  /** Asked for by the media type itself; see also `isPretty`. */
  readonly pretty: boolean;
  /** `watch`, or empty. */
  readonly stream: string;
  /** `as=Table;g=meta.k8s.io;v=v1`: the kind to answer with instead of the object's own. Parts not given are empty. */
  readonly convert: GroupVersionKind | undefined;
  /** Discovery: `nopeer`, or empty. */
  readonly profile: string;
}

/** The content type of an answer: a converted one names its kind where the endpoint (aggregated discovery) says so. */
export function formatMediaType(mediaType: MediaType): string {
  const { convert } = mediaType;
  if (convert === undefined) return mediaType.mediaType;
  const group = convert.group === '' ? '' : `;g=${convert.group}`;
  const version = convert.version === '' ? '' : `;v=${convert.version}`;
  const kind = convert.kind === '' ? '' : `;as=${convert.kind}`;
  return mediaType.mediaType + group + version + kind;
}
