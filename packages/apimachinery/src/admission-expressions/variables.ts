import { DYN, type Type } from '../cel/index.js';
import { type CompiledExpression, compileAdmissionExpression, type ExpressionProblem, isCompiled } from './compile.js';
import type { ExpressionScope } from './scope.js';
import { readableType } from './variable-types.js';

export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

/** The variables of a policy: each may read those before it. A later variable replaces one of the same name. */
export class PolicyVariables {
  readonly types: ReadonlyMap<string, Type>;
  readonly #compiled = new Map<string, CompiledExpression | ExpressionProblem>();

  constructor(variables: readonly PolicyVariable[], scope: ExpressionScope) {
    const types = new Map<string, Type>();
    this.types = types;
    for (const { name, expression } of variables) {
      const compiled = compileAdmissionExpression(expression, 'variable', { ...scope, variables: types });
      this.#compiled.set(name, compiled);
      types.set(name, isCompiled(compiled) ? readableType(compiled.type) : DYN);
    }
  }

  /** Undefined: there is no such variable. */
  get(name: string): CompiledExpression | ExpressionProblem | undefined {
    return this.#compiled.get(name);
  }

  /** Whether any variable reads the given one, such as `namespaceObject`. */
  reads(variable: string): boolean {
    return [...this.#compiled.values()].some((each) => isCompiled(each) && each.names.has(variable));
  }

  names(): Iterable<string> {
    return this.#compiled.keys();
  }
}
