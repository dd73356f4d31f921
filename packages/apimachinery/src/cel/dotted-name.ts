import type { Expression } from './syntax-tree.js';

/** The dotted name of an expression that selects fields of an identifier, such as `a.b.c`; undefined for any other. */
export function dottedName(expression: Expression): string | undefined {
  const fields: string[] = [];
  let node = expression;
  for (; node.kind === 'select' && !node.presence; node = node.operand) fields.push(node.field);
  return node.kind === 'identifier' ? [node.name, ...fields.reverse()].join('.') : undefined;
}
