import type { Comparison } from './compare.js';
import { emptyFieldSet, type FieldNode, FieldSet } from './field-set.js';
import type { PathElement } from './path-element.js';

/** Any step. */
export const ANY = '*';

/** Steps that lead to what is meant, with {@link ANY} for any one step. */
export type FieldPattern = readonly PathElement[];

/** Which fields a client can set through a path of the API, and so own. */
export interface FieldRules {
  /** What is put back, with all that lies below it. Upstream: `rest.ResetFieldsStrategy`. */
  readonly resetFields?: FieldSet | undefined;
  /** What alone is not put back: what lies below these, and what leads there. Upstream: `rest.ResetFieldsFilterStrategy`. */
  readonly settableFields?: readonly FieldPattern[] | undefined;
}

/** The members that can be owned; the same set when all can. */
export function ownable(set: FieldSet, { resetFields, settableFields }: FieldRules): FieldSet {
  const settable = settableFields === undefined ? set : matching(set, settableFields);
  return resetFields === undefined || resetFields.isEmpty ? settable : settable.recursiveDifference(resetFields);
}

export function ownableChanges({ added, modified, removed }: Comparison, rules: FieldRules): Comparison {
  return { added: ownable(added, rules), modified: ownable(modified, rules), removed: ownable(removed, rules) };
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
