import type { Expression } from './syntax-tree.js';

/** The direct children of an expression. */
export function children(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'literal':
    case 'identifier':
      return [];
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.arguments : [node.target, ...node.arguments];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'message':
      return node.fields.map(({ value }) => value);
    case 'comprehension':
      return [node.range, node.initial, node.condition, node.step, node.result];
  }
}
