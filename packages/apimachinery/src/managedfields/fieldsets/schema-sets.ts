import type { StructSchema, ValueSchema } from '../../schema/index.js';
import { Pace, type Steps } from '../../work/index.js';
import { emptyFieldSet, type FieldNode, FieldSet } from './field-set.js';
import type { PathElement } from './path-element.js';
import { type Below, isOneValue, type OwnedSchema, schemaBelow } from '../merge/structure.js';

/** About a millisecond of work. */
const ELEMENTS_PER_STEP = 1000;

/**
 * Adds the struct fields on the way to each member: with `spec.replicas`, `spec` becomes a member. Map keys and list
 * items are not added. Upstream: structured-merge-diff `Set.EnsureNamedFieldsAreMembers`.
 */
export function withNamedFields(set: FieldSet, type: StructSchema): Steps<FieldSet> {
  return mapNodes(set, { kind: 'struct', type }, nameNode, new Pace(ELEMENTS_PER_STEP));
}

function* nameNode(node: FieldNode, { schema, field }: Below, pace: Pace): Steps<FieldNode> {
  const children = yield* mapNodes(node.children, schema, nameNode, pace);
  return { member: node.member || field !== undefined, children };
}

/**
 * Adapts a set to the current schema: values that were granular and are now atomic are owned as a whole. Upstream:
 * structured-merge-diff `typed.ReconcileFieldSetWithSchema`.
 */
export function reconcileWithSchema(set: FieldSet, type: StructSchema): Steps<FieldSet> {
  return mapNodes(set, { kind: 'struct', type }, reconcileNode, new Pace(ELEMENTS_PER_STEP));
}

/** By set and schema. Holds neither in memory, because each change of a definition makes new schemas. */
const reconciled = new WeakMap<FieldSet, WeakMap<StructSchema, FieldSet>>();

/** {@link reconcileWithSchema}, once for each set and schema. */
export function* reconcileOnce(set: FieldSet, type: StructSchema): Steps<FieldSet> {
  let forms = reconciled.get(set);
  const found = forms?.get(type);
  if (found !== undefined) return found;
  const form = yield* reconcileWithSchema(set, type);
  if (forms === undefined) reconciled.set(set, (forms = new WeakMap()));
  forms.set(type, form);
  return form;
}

function* reconcileNode(node: FieldNode, { schema, field }: Below, pace: Pace): Steps<FieldNode> {
  if (schema === 'unknown' || !canHaveParts(schema)) return node;
  if (isOneValue(schema, field)) return { member: true, children: emptyFieldSet };
  const children = yield* mapNodes(node.children, schema, reconcileNode, pace);
  return children === node.children ? node : { member: node.member, children };
}

/** A member below a scalar can only come from a client, and it stays. */
function canHaveParts({ kind }: ValueSchema): boolean {
  return kind === 'struct' || kind === 'map' || kind === 'list' || kind === 'any';
}

/** Changes the nodes that the schema knows and that have children. Resolves to the same set if none changes. */
function* mapNodes(
  set: FieldSet,
  schema: OwnedSchema,
  change: (node: FieldNode, below: Below, pace: Pace) => Steps<FieldNode>,
  pace: Pace,
): Steps<FieldSet> {
  let nodes: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set.nodes) {
    if (pace.endsStep()) yield;
    if (node.children.isEmpty) continue;
    const below = schemaBelow(schema, element);
    const changed = below === undefined ? node : yield* change(node, below, pace);
    if (changed === node) continue;
    nodes ??= new Map(set.nodes);
    nodes.set(element, changed);
  }
  return nodes === undefined ? set : new FieldSet(nodes);
}
