import { formatPath, getOwn, isObject, type JsonObject, type JsonValue, sortUtf8, TextLimit } from '../json/index.js';
import type { SchemaNode } from './schema-node.js';

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes, in place, fields unknown to the schema, and returns their paths, sorted. Keeps kind, apiVersion and metadata
 * of embedded resources and, with `isRoot`, of the whole object. Upstream: apiextensions
 * `pkg/apiserver/schema/pruning`.
 */
export function pruneUnknownFields(value: JsonValue, schema: SchemaNode | undefined, isRoot: boolean): string[] {
  const pruner = new Pruner();
  pruner.prune(value, schema, isRoot);
  return sortUtf8(pruner.unknown);
}

class Pruner {
  readonly unknown: string[] = [];
  readonly #limit = new TextLimit();
  readonly #path: (string | number)[] = [];

  prune(value: JsonValue, node: SchemaNode | undefined, isRoot: boolean): void {
    if (Array.isArray(value)) {
      if (node?.preserveUnknownFields === true && node.items === undefined) return;
      for (const [index, item] of value.entries()) {
        this.#path.push(index);
        // Items of a list that preserves unknown fields preserve them too.
        if (node?.preserveUnknownFields === true) this.#preserve(item, node.items);
        else this.prune(item, node?.items, false);
        this.#path.pop();
      }
    } else if (isObject(value)) {
      if (node?.preserveUnknownFields === true) this.#known(value, node, isRoot);
      else this.#object(value, node, isRoot);
    }
  }

  #object(object: JsonObject, node: SchemaNode | undefined, isRoot: boolean): void {
    const isResource = isRoot || node?.embeddedResource === true;
    for (const key of Object.keys(object)) {
      if (isResource && typeFields.has(key)) continue;
      const below = node === undefined ? 'unknown' : schemaOfField(node, key);
      if (below !== 'unknown') {
        this.#below(object, key, below);
        continue;
      }
      if (this.#path.length > 0 || !typeFields.has(key)) this.#tell(key);
      delete object[key];
    }
  }

  #tell(key: string): void {
    if (this.#limit.isReached) return;
    const path = formatPath([...this.#path, key]);
    if (this.#limit.admits(path)) this.unknown.push(path);
  }

  /** Fields with a schema are pruned even if unknown fields are preserved. */
  #known(object: JsonObject, node: SchemaNode, isRoot: boolean): void {
    const isResource = isRoot || node.embeddedResource;
    if (node.properties.size === 0 && node.additionalProperties === undefined) return;
    for (const key of Object.keys(object)) {
      if (isResource && typeFields.has(key)) continue;
      const below = schemaOfField(node, key);
      if (below !== 'unknown') this.#below(object, key, below);
    }
  }

  #preserve(value: JsonValue, node: SchemaNode | undefined): void {
    if (node === undefined) return;
    if (isObject(value)) this.#known(value, node, false);
    else if (Array.isArray(value)) for (const item of value) this.#preserve(item, node.items);
  }

  #below(object: JsonObject, key: string, node: SchemaNode | undefined): void {
    const value = getOwn(object, key);
    if (value === undefined || value === null || typeof value !== 'object') return;
    this.#path.push(key);
    this.prune(value, node, false);
    this.#path.pop();
  }
}

/** Undefined: the field is known, and its content has no schema. */
function schemaOfField(node: SchemaNode, key: string): SchemaNode | undefined | 'unknown' {
  const property = node.properties.get(key);
  if (property !== undefined) return property;
  if (node.additionalProperties === undefined) return 'unknown';
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
}
