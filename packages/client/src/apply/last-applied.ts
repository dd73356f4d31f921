import { getOwn, isObject, type JsonObject, parseJson, setOwn, stringifyJson } from '@binnacle/apimachinery/json';

export const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The last-applied manifest from the object's annotation; undefined if it has none. Throws a JsonSyntaxError for an invalid annotation.
 */
export function lastApplied(object: JsonObject): JsonObject | undefined {
  const text = getOwn(annotationsOf(object), LAST_APPLIED_ANNOTATION);
  if (typeof text !== 'string') return undefined;
  const { value } = parseJson(text);
  return isObject(value) ? value : {};
}

/**
 * A copy of the manifest with itself in its annotation: one line of JSON with sorted keys, without the annotation. Upstream: kubectl
 * `util.GetModifiedConfiguration`.
 */
export function withLastApplied(manifest: JsonObject): JsonObject {
  const annotations = { ...annotationsOf(manifest) };
  delete annotations[LAST_APPLIED_ANNOTATION];
  const bare = withAnnotations(manifest, annotations);
  const text = `${stringifyJson(bare, { sortKeys: true })}\n`;
  return withAnnotations(manifest, { ...annotations, [LAST_APPLIED_ANNOTATION]: text });
}

export function hasLastApplied(object: JsonObject): boolean {
  return getOwn(annotationsOf(object), LAST_APPLIED_ANNOTATION) !== undefined;
}

function annotationsOf(object: JsonObject): JsonObject {
  const annotations = getOwn(metadataOf(object), 'annotations');
  return isObject(annotations) ? annotations : {};
}

export function metadataOf(object: JsonObject): JsonObject {
  const metadata = getOwn(object, 'metadata');
  return isObject(metadata) ? metadata : {};
}

function withAnnotations(object: JsonObject, annotations: JsonObject): JsonObject {
  return withMetadata(object, 'annotations', annotations);
}

/** A copy with one metadata field set. */
export function withMetadata(object: JsonObject, name: string, value: JsonObject | string): JsonObject {
  const metadata = { ...metadataOf(object) };
  setOwn(metadata, name, value);
  return { ...object, metadata };
}
