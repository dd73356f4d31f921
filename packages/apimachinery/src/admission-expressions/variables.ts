import { DYN, type ObjectFields, type Type } from '../cel/index.js';
import type { Steps } from '../work/index.js';
import {
  type CompiledExpression,
  compileAdmissionExpressionInSteps,
  type ExpressionProblem,
  isCompiled,
  variableType,
} from './compile.js';
import type { ExpressionScope } from './scope.js';
import { readableType } from './variable-types.js';

export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

type Compiled = CompiledExpression | ExpressionProblem;

/** The types of the variables of a policy. Each may read those before it, and replaces one of the same name. */
export class VariableTypes {
  /** The types of a name, with how many variables were declared before each. */
  readonly #types = new Map<string, (readonly [before: number, type: Type])[]>();
  readonly #scope: ExpressionScope;
  #count = 0;

  constructor(scope: ExpressionScope) {
    this.#scope = scope;
  }

  /** The types of the variables declared so far. Later ones do not change them. */
  soFar(): ObjectFields {
    const [types, count] = [this.#types, this.#count];
    return { get: (name) => types.get(name)?.findLast(([before]) => before < count)?.[1] };
  }

  /** The scope of an expression that may name the variables declared so far. */
  scope(): ExpressionScope {
    return { ...this.#scope, variables: this.soFar() };
  }

  declare(name: string, type: Type): void {
    const declared = this.#types.get(name) ?? [];
    declared.push([this.#count++, readableType(type)]);
    this.#types.set(name, declared);
  }

  /** Declares a variable that does not run. Returns its problem. */
  *check({ name, expression }: PolicyVariable): Steps<ExpressionProblem | undefined> {
    const found = yield* variableType(expression, this.scope());
    const isProblem = 'problem' in found;
    this.declare(name, isProblem ? DYN : found);
    return isProblem ? found : undefined;
  }
}

/** The variables of a policy, compiled one by one. */
export class PolicyVariables {
  readonly #types: VariableTypes;
  readonly #compiled = new Map<string, Compiled>();

  private constructor(scope: ExpressionScope) {
    this.#types = new VariableTypes(scope);
  }

  static *compile(scope: ExpressionScope, variables: readonly PolicyVariable[]): Steps<PolicyVariables> {
    const compiled = new PolicyVariables(scope);
    for (const variable of variables) {
      yield* compiled.#add(variable);
      yield;
    }
    return compiled;
  }

  /** The types of the variables, for the scope of other expressions. */
  get types(): ObjectFields {
    return this.#types.soFar();
  }

  *#add({ name, expression }: PolicyVariable): Steps<void> {
    const compiled = yield* compileAdmissionExpressionInSteps(expression, 'variable', this.#types.scope());
    this.#compiled.set(name, compiled);
    this.#types.declare(name, isCompiled(compiled) ? compiled.type : DYN);
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
