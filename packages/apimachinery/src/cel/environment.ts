import type { Overload } from './overload.js';
import type { Type } from './types.js';

/**
 * The variables, functions and types that expressions may name. Names of variables and functions may contain dots.
 * Overloads with the same function name are tried in order.
 */
export interface Environment {
  readonly variables: ReadonlyMap<string, Type>;
  /** Overloads by function name. */
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  /** Types that are also values, as in `type(1) == int`, by name. */
  readonly types: ReadonlyMap<string, Type>;
  /** Variables with fields that take long to read: their values prepare entries in steps. Absent: none. */
  readonly slow?: ReadonlySet<string>;
  /** Finds the object types that expressions may construct, as in `Object.spec{replicas: 1}`. Absent: none. */
  readonly messages?: (name: string) => Type | undefined;
}

/** Groups overloads by name and keeps their order. */
export function groupOverloads(...libraries: (readonly Overload[])[]): Map<string, readonly Overload[]> {
  const functions = new Map<string, Overload[]>();
  for (const overload of libraries.flat()) {
    const same = functions.get(overload.name);
    if (same === undefined) functions.set(overload.name, [overload]);
    else same.push(overload);
  }
  return functions;
}
