// Reads the facts folder. Its files are described in docs/updating-kubernetes.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ go: string, type: string, json?: string, omitempty?: boolean, omitzero?: boolean, inline?: boolean,
 *   proto?: [number, string | null], patchStrategy?: string, patchMergeKey?: string, markers?: string[] }} GoField
 * @typedef {{ kind: string, fields?: GoField[], markers?: string[], lifecycle?: Record<string, any> }} GoType
 * @typedef {{ version: string, imports: Record<string, Record<string, string>>, go: Map<string, Record<string, GoType>>,
 *   definitions: Record<string, any>, messages: Map<string, any>, apply: Record<string, any>, groups: any[], resources: any[] }} Facts
 */

/** @param {string} folder @returns {Facts} */
export function loadFacts(folder) {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const { _meta: _, imports, ...packages } = read('gotypes.json');
  const types = read('types.json');
  const resources = read('resources.json');
  const messages = new Map();
  for (const message of Object.values(read('proto.json').messages)) messages.set(message.def, message);
  return {
    version: types._meta.kubernetes,
    imports,
    go: new Map(Object.entries(packages)),
    definitions: types.definitions,
    messages,
    apply: read('ssa-schema.json').types,
    groups: resources.groups,
    resources: resources.resources,
  };
}

/** Whether a Go type carries its own kind and version. @param {GoType} type */
export function isKind(type) {
  const first = type.fields?.[0];
  return first?.inline === true && /^(\w+\.)?TypeMeta$/.test(first.type);
}

/** `k8s.io/api/core/v1` and `Pod` to `io.k8s.api.core.v1.Pod`. */
export function definitionName(/** @type {string} */ goPackage, /** @type {string} */ name) {
  return `io.${goPackage.replace(/^k8s\.io\//, 'k8s/').replaceAll('/', '.')}.${name}`;
}

/** `io.k8s.api.core.v1.Pod` to `io.k8s.api.core.v1`. */
export function packageOf(/** @type {string} */ definition) {
  return definition.slice(0, definition.lastIndexOf('.'));
}

/** `io.k8s.api.core.v1.Pod` to `Pod`. */
export function shortName(/** @type {string} */ definition) {
  return definition.slice(definition.lastIndexOf('.') + 1);
}
