import type { Environment } from './environment.js';
import { type Type, typeOf } from './types.js';

/** Variables of a comprehension, and those outside of it. */
interface Scope {
  readonly variables: ReadonlyMap<string, Type>;
  readonly outer: Scope | undefined;
}

export interface FoundName {
  readonly type: Type;
  /** How evaluation looks it up: with a leading dot if a variable of a comprehension hides it. */
  readonly name: string;
}

/**
 * The names that an expression may use at one place: variables of comprehensions, innermost first, then the variables and types of the
 * environment.
 */
export class Scopes {
  readonly #environment: Pick<Environment, 'variables' | 'types' | 'messages'>;
  #innermost: Scope | undefined;

  constructor(environment: Pick<Environment, 'variables' | 'types' | 'messages'>) {
    this.#environment = environment;
  }

  /** The variable or type with that name. A leading dot skips the variables of comprehensions. */
  find(name: string): FoundName | undefined {
    const isRooted = name.startsWith('.');
    const plain = isRooted ? name.slice(1) : name;
    const local = isRooted ? undefined : this.#local(plain);
    if (local !== undefined) return { type: local, name: plain };
    const { variables, types, messages } = this.#environment;
    const named = types.get(plain) ?? messages?.(plain);
    const type = variables.get(plain) ?? (named && typeOf(named));
    return type && { type, name: isRooted && this.isLocal(plain) ? name : plain };
  }

  /** Whether a comprehension has a variable with that name. */
  isLocal(name: string): boolean {
    return this.#local(name) !== undefined;
  }

  /** Checks a part of a comprehension, which has these variables too. */
  within<T>(variables: ReadonlyMap<string, Type>, check: () => T): T {
    const outer = this.#innermost;
    this.#innermost = { variables, outer };
    const result = check();
    this.#innermost = outer;
    return result;
  }

  #local(name: string): Type | undefined {
    for (let scope = this.#innermost; scope !== undefined; scope = scope.outer) {
      const found = scope.variables.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
