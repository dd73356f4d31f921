import { DYN, type Type } from '../cel/index.js';
import type { Steps } from '../work/index.js';
import { type CompiledExpression, compileAdmissionExpression, type ExpressionProblem, isCompiled } from './compile.js';
import type { ExpressionScope } from './scope.js';
import { readableType } from './variable-types.js';

export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

type Compiled = CompiledExpression | ExpressionProblem;

/** The variables of a policy: each may read those before it. A later variable replaces one of the same name. */
export class PolicyVariables {
  readonly #scope: ExpressionScope;
  readonly #types = new Map<string, Type>();
  readonly #compiled = new Map<string, Compiled>();

  constructor(scope: ExpressionScope, variables: readonly PolicyVariable[] = []) {
    this.#scope = scope;
    for (const variable of variables) this.add(variable);
  }

  /** Compiles variables one by one. */
  static *compile(scope: ExpressionScope, variables: readonly PolicyVariable[]): Steps<PolicyVariables> {
    const compiled = new PolicyVariables(scope);
    for (const variable of variables) {
      compiled.add(variable);
      yield;
    }
    return compiled;
  }

  /** The types of the variables added so far, for the scope of other expressions. */
  get types(): ReadonlyMap<string, Type> {
    return this.#types;
  }

  add({ name, expression }: PolicyVariable): Compiled {
    const compiled = compileAdmissionExpression(expression, 'variable', { ...this.#scope, variables: this.#types });
    this.#compiled.set(name, compiled);
    this.#types.set(name, isCompiled(compiled) ? readableType(compiled.type) : DYN);
    return compiled;
  }

  /** Undefined: there is no such variable. */
  get(name: string): Compiled | undefined {
    return this.#compiled.get(name);
  }

  /** Whether any variable reads the given one, such as `namespaceObject`. */
  reads(variable: string): boolean {
    return [...this.#compiled.values()].some((each) => isCompiled(each) && each.names.has(variable));
  }

  names(): readonly string[] {
    return [...this.#compiled.keys()];
  }
}
