import type { Overload } from './overload.js';
import type { Type } from './types.js';

/**
 * What expressions may name. Variables and functions may have dots in their names. A library of functions is an `Overload` a way to call
 * one; all of one name are tried.
 */
export interface Environment {
  readonly variables: ReadonlyMap<string, Type>;
  /** Overloads by the name of the function. */
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  /** Types that are values themselves, `type(1) == int`, by name. */
  readonly types: ReadonlyMap<string, Type>;
}

/** Puts overloads together by their names, in the order given. */
export function groupOverloads(...libraries: (readonly Overload[])[]): Map<string, readonly Overload[]> {
  const functions = new Map<string, Overload[]>();
  for (const overload of libraries.flat()) {
    const same = functions.get(overload.name);
    if (same === undefined) functions.set(overload.name, [overload]);
    else same.push(overload);
  }
  return functions;
}
