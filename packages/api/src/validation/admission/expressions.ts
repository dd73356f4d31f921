import {
  type CompiledExpression,
  compileAdmissionExpression,
  type ExpressionKind,
  type ExpressionProblem,
  type ExpressionScope,
  PolicyVariables,
} from '@binnacle/apimachinery/admission-expressions';
import { type FieldError, internalFieldError, invalidValue } from '@binnacle/apimachinery/status';
import type { ParamKind, Variable } from '../../generated/types/admissionregistration-v1.js';
import { validateVariable } from './policy-parts.js';

/** Compiles an expression. An error shows `shown`, by default the compiled text. */
export function validateExpression(
  source: string,
  kind: ExpressionKind,
  scope: ExpressionScope,
  field: string,
  shown = source,
): FieldError[] {
  return problemOf(compileAdmissionExpression(source, kind, scope), field, shown);
}

function problemOf(compiled: CompiledExpression | ExpressionProblem, field: string, shown: string): FieldError[] {
  if (!('problem' in compiled)) return [];
  return compiled.internal
    ? [internalFieldError(field, compiled.problem)]
    : [invalidValue(field, shown, compiled.problem)];
}

/** The scopes of a policy's expressions, while its variables are validated in order. */
export class PolicyScope {
  readonly params: boolean;
  readonly #variables: PolicyVariables;
  #hasVariables: boolean;

  /** `alwaysVariables`: expressions may name `variables` though there are none, as upstream allows in mutating policies. */
  constructor(paramKind: ParamKind | undefined, alwaysVariables = false) {
    this.params = paramKind !== undefined;
    this.#variables = new PolicyVariables({ params: this.params, authorizer: true });
    this.#hasVariables = alwaysVariables;
  }

  scope(more: ExpressionScope = { authorizer: true }): ExpressionScope {
    const variables = this.#hasVariables ? this.#variables.types : undefined;
    return { params: this.params, ...(variables && { variables }), ...more };
  }

  /** Validates a variable and declares it for the expressions after it. */
  declare(variable: Partial<Variable>, path: string): FieldError[] {
    this.#hasVariables = true;
    const { name = '', expression = '' } = variable;
    const errors = validateVariable(variable, path);
    if (expression.trim() === '') return errors;
    return [...errors, ...problemOf(this.#variables.add({ name, expression }), `${path}.expression`, expression)];
  }
}
