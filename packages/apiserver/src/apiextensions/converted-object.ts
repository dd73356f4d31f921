import { getOwn, isObject, type JsonObject, type JsonValue, setOwn } from '@binnacle/apimachinery/json';
import { formatFieldErrors } from '@binnacle/apimachinery/status';
import { validateAnnotations, validateLabels } from '@binnacle/apimachinery/validation';

/** The webhook's object is not a valid conversion of the original. */
export class InvalidConversion extends Error {
  /** `object` or `metadata`, as in upstream's message. */
  readonly part: 'object' | 'metadata';
  constructor(part: 'object' | 'metadata', message: string) {
    super(message);
    this.part = part;
  }
}

/**
 * The object that a webhook has converted. It must have the requested version and the same identity, and takes only
 * labels and annotations from the webhook's metadata. Throws {@link InvalidConversion}. Upstream:
 * `validateConvertedObject`, `restoreObjectMeta`.
 */
export function convertedObject(original: JsonObject, answer: JsonValue | undefined, apiVersion: string): JsonObject {
  if (!isObject(answer)) throw new InvalidConversion('object', 'it is not an object');
  const given = textAt(answer, 'apiVersion');
  if (given !== apiVersion) {
    throw new InvalidConversion('object', `invalid groupVersion (expected ${apiVersion}, received ${given})`);
  }
  const expected = textAt(original, 'kind');
  const kind = textAt(answer, 'kind');
  if (kind !== expected) {
    throw new InvalidConversion('object', `invalid kind (expected ${expected}, received ${kind})`);
  }
  const before = objectAt(original, 'metadata') ?? {};
  const after = objectAt(answer, 'metadata');
  for (const [field, called] of identity) {
    const [a, b] = [textAt(before, field), textAt(after ?? {}, field)];
    if (a !== b) throw new InvalidConversion('object', `must have the same ${called}: ${a} != ${b}`);
  }
  if (after === undefined) throw new InvalidConversion('metadata', 'missing metadata in converted object');
  return { ...answer, metadata: restoredMetadata(before, after) };
}

const identity: readonly (readonly [field: string, called: string])[] = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
];

const free = { labels: validateLabels, annotations: validateAnnotations };

function restoredMetadata(before: JsonObject, after: JsonObject): JsonObject {
  const metadata: JsonObject = { ...before };
  for (const field of ['labels', 'annotations'] as const) {
    const value = getOwn(after, field);
    if (value === undefined || value === null) {
      delete metadata[field];
      continue;
    }
    if (!isObject(value)) throw new InvalidConversion('metadata', `invalid metadata.${field} in converted object`);
    const texts: Record<string, string> = {};
    for (const [key, text] of Object.entries(value)) {
      if (typeof text !== 'string') {
        throw new InvalidConversion('metadata', `metadata.${field}[${key}] must be a string in converted object`);
      }
      setOwn(texts, key, text);
    }
    const errors = free[field](texts, `metadata.${field}`);
    if (errors.length > 0) throw new InvalidConversion('metadata', formatFieldErrors(errors));
    metadata[field] = value;
  }
  return metadata;
}

function objectAt(object: JsonObject, name: string): JsonObject | undefined {
  const value = getOwn(object, name);
  return isObject(value) ? value : undefined;
}

function textAt(object: JsonObject, name: string): string {
  const value = getOwn(object, name);
  return typeof value === 'string' ? value : '';
}
