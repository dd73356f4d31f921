import {
  applyMediaTypes,
  JSON_MEDIA_TYPE,
  listedMediaTypes,
  listedStreamMediaTypes,
  type Serializer,
  SERIALIZERS,
  YAML_MEDIA_TYPE,
} from '@binnacle/apimachinery/serializer';

/** The media types of a resource's operations. */
export interface MediaTypes {
  /** For bodies other than patches. */
  readonly bodies: readonly string[];
  readonly patches: readonly string[];
  readonly answers: readonly string[];
  /** For answers that may be watches. */
  readonly lists: readonly string[];
}

export const anyMediaType: readonly string[] = ['*/*'];

const patches: readonly string[] = ['application/json-patch+json', 'application/merge-patch+json'];

/** The media types of built-in resources, from `serializers`. */
export function builtInMediaTypes(serializers: readonly Serializer[]): MediaTypes {
  const answers = listedMediaTypes(serializers);
  return {
    bodies: anyMediaType,
    patches: [...patches, 'application/strategic-merge-patch+json', ...applyMediaTypes(serializers)],
    answers,
    lists: [...answers, ...listedStreamMediaTypes(serializers)],
  };
}

const untyped: readonly string[] = [JSON_MEDIA_TYPE, YAML_MEDIA_TYPE];

/**
 * The media types of custom resources in documents, even if the server supports more. Upstream: apiextensions
 * `pkg/controller/openapi/builder`.
 */
export const customMediaTypes: MediaTypes = {
  bodies: untyped,
  patches: [...patches, ...applyMediaTypes(SERIALIZERS)],
  answers: untyped,
  lists: untyped,
};
