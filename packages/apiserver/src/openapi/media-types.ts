import {
  applyMediaTypes,
  JSON_MEDIA_TYPE,
  listedMediaTypes,
  listedStreamMediaTypes,
  type Serializer,
  SERIALIZERS,
  YAML_MEDIA_TYPE,
} from '@binnacle/apimachinery/serializer';

/** What the operations of a resource take and answer. */
export interface MediaTypes {
  /** Of bodies, but for those of patches. */
  readonly bodies: readonly string[];
  readonly patches: readonly string[];
  readonly answers: readonly string[];
  /** Of answers that may be watches. */
  readonly lists: readonly string[];
}

export const anyMediaType: readonly string[] = ['*/*'];

const patches: readonly string[] = ['application/json-patch+json', 'application/merge-patch+json'];

/** Of built-in resources, which are read and answered in `serializers`. */
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

/** Of custom resources, whatever else they are answered in. Upstream: apiextensions `pkg/controller/openapi/builder`. */
export const customMediaTypes: MediaTypes = {
  bodies: untyped,
  patches: [...patches, ...applyMediaTypes(SERIALIZERS)],
  answers: untyped,
  lists: untyped,
};
