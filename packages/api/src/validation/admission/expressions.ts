import {
  admissionExpressionProblem,
  type ExpressionKind,
  type ExpressionProblem,
  type ExpressionScope,
  VariableTypes,
} from '@binnacle/apimachinery/admission-expressions';
import { type FieldError, internalFieldError, invalidValue } from '@binnacle/apimachinery/status';
import type { Steps } from '@binnacle/apimachinery/work';
import type { ParamKind, Variable } from '../../generated/types/admissionregistration-v1.js';
import { validateVariable } from './policy-parts.js';

/** Checks an expression. An error shows `shown`, by default the checked text. */
export function* validateExpression(
  source: string,
  kind: ExpressionKind,
  scope: ExpressionScope,
  field: string,
  shown = source,
): Steps<FieldError[]> {
  return errorsOf(yield* admissionExpressionProblem(source, kind, scope), field, shown);
}

function errorsOf(found: ExpressionProblem | undefined, field: string, shown: string): FieldError[] {
  if (found === undefined) return [];
  const { problem, internal } = found;
  return internal ? [internalFieldError(field, problem)] : [invalidValue(field, shown, problem)];
}

/** The scopes of a policy's expressions, while its variables are validated in order. */
export class PolicyScope {
  readonly params: boolean;
  readonly #variables: VariableTypes;
  #hasVariables: boolean;

  /** `alwaysVariables`: expressions may name `variables` though there are none, as upstream allows in mutating policies. */
  constructor(paramKind: ParamKind | undefined, alwaysVariables = false) {
    this.params = paramKind !== undefined;
    this.#variables = new VariableTypes({ params: this.params, authorizer: true });
    this.#hasVariables = alwaysVariables;
  }

  scope(more: ExpressionScope = { authorizer: true }): ExpressionScope {
    const variables = this.#hasVariables ? this.#variables.soFar() : undefined;
    return { params: this.params, ...(variables && { variables }), ...more };
  }

  /** Validates a variable and declares it for the expressions after it. */
  *declare(variable: Partial<Variable>, path: string): Steps<FieldError[]> {
    this.#hasVariables = true;
    const { name = '', expression = '' } = variable;
    const errors = validateVariable(variable, path);
    if (expression.trim() === '') return errors;
    const problem = yield* this.#variables.check({ name, expression });
    return [...errors, ...errorsOf(problem, `${path}.expression`, expression)];
  }
}
