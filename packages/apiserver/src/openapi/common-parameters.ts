import type { Operation } from './operations.js';
import type { Parameter } from './parameters.js';

/** Sorted by name, path parameters before query parameters. */
export function sortParameters(parameters: readonly Parameter[]): Parameter[] {
  return [...parameters].sort((a, b) => (`${a.name} ${a.in}` < `${b.name} ${b.in}` ? -1 : 1));
}

/** The parameters that all operations of a path share, which are written at the path. */
export function commonParameters(operations: readonly Operation[]): readonly Parameter[] {
  const [first, ...others] = operations;
  if (first === undefined) return [];
  return sortParameters(
    first.parameters.filter((each) => others.every((operation) => operation.parameters.includes(each))),
  );
}
