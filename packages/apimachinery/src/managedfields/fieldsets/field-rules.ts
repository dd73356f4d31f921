import type { Comparison } from '../merge/compare.js';
import { emptyFieldSet, type FieldNode, FieldSet } from './field-set.js';
import type { PathElement } from './path-element.js';

/** Matches any path element. */
export const ANY = '*';

/** A path in which {@link ANY} matches any element. */
export type FieldPattern = readonly PathElement[];

/** Which fields a client can set, and so own, through an endpoint. */
export interface FieldRules {
  /** Fields that the endpoint resets, with everything below them. Upstream: `rest.ResetFieldsStrategy`. */
  readonly resetFields?: FieldSet | undefined;
  /**
   * The only fields that the endpoint does not reset: these with everything below them, and the paths to them.
   * Upstream: `rest.ResetFieldsFilterStrategy`.
   */
  readonly settableFields?: readonly FieldPattern[] | undefined;
}

/** The members that can be owned; the same set if all can. */
export function ownableFields(set: FieldSet, { resetFields, settableFields }: FieldRules): FieldSet {
  const settable = settableFields === undefined ? set : matching(set, settableFields);
  return resetFields === undefined || resetFields.isEmpty ? settable : settable.recursiveDifference(resetFields);
}

export function ownableChanges({ added, modified, removed }: Comparison, rules: FieldRules): Comparison {
  return {
    added: ownableFields(added, rules),
    modified: ownableFields(modified, rules),
    removed: ownableFields(removed, rules),
  };
}

function matching(set: FieldSet, patterns: readonly FieldPattern[]): FieldSet {
  const nodes = new Map<PathElement, FieldNode>();
  for (const [element, node] of set.nodes) {
    const rests = patterns.filter(([first]) => first === ANY || first === element).map(([, ...rest]) => rest);
    if (rests.length === 0) continue;
    const children = rests.some((rest) => rest.length === 0) ? node.children : matching(node.children, rests);
    if (node.member || !children.isEmpty) nodes.set(element, { member: node.member, children });
  }
  return nodes.size === 0 ? emptyFieldSet : new FieldSet(nodes);
}
