import type { StructSchema, ValueSchema } from '../schema/index.js';
import { emptyFieldSet, type FieldNode, FieldSet } from './field-set.js';
import type { PathElement } from './path-element.js';
import { type Below, isOneValue, type OwnedSchema, schemaBelow } from './structure.js';

/**
 * The set with all fields of structs that lead to its members: `spec.replicas` makes `spec` a member too. Map keys and list
 * items are parts of their own, and are members only when they were.
 * Upstream: structured-merge-diff `Set.EnsureNamedFieldsAreMembers`.
 */
export function withNamedFields(set: FieldSet, type: StructSchema): FieldSet {
  return mapNodes(set, { kind: 'struct', type }, nameNode);
}

function nameNode(node: FieldNode, { schema, field }: Below): FieldNode {
  if (node.children.isEmpty) return node;
  return { member: node.member || field !== undefined, children: mapNodes(node.children, schema, nameNode) };
}

/**
 * The set as its schema would have it now: what was owned part by part and is one value today is owned as one.
 * Upstream: structured-merge-diff `typed.ReconcileFieldSetWithSchema`.
 */
export function reconcileWithSchema(set: FieldSet, type: StructSchema): FieldSet {
  return mapNodes(set, { kind: 'struct', type }, reconcileNode);
}

function reconcileNode(node: FieldNode, { schema, field }: Below): FieldNode {
  if (node.children.isEmpty || schema === 'unknown' || !canHaveParts(schema)) return node;
  if (isOneValue(schema, field)) return { member: true, children: emptyFieldSet };
  const children = mapNodes(node.children, schema, reconcileNode);
  return children === node.children ? node : { member: node.member, children };
}

/** Below a scalar nothing was ever owned but what a client made up, and that stays as it is. */
function canHaveParts({ kind }: ValueSchema): boolean {
  return kind === 'struct' || kind === 'map' || kind === 'list' || kind === 'any';
}

/** Changes the nodes that the schema knows; the same set when none changes. */
function mapNodes(set: FieldSet, schema: OwnedSchema, change: (node: FieldNode, below: Below) => FieldNode): FieldSet {
  let nodes: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set.nodes) {
    const below = schemaBelow(schema, element);
    const changed = below === undefined ? node : change(node, below);
    if (changed === node) continue;
    nodes ??= new Map(set.nodes);
    nodes.set(element, changed);
  }
  return nodes === undefined ? set : new FieldSet(nodes);
}
