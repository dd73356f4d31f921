import type { Type } from '../cel/index.js';
import type { Steps } from '../work/index.js';
import { admissionExpressionProblem } from './compile.js';
import type { ExpressionScope } from './scope.js';
import { type PolicyVariable, VariableTypes } from './variables.js';

/** A kind that a policy matches: its name in warnings, such as `apps/v1, Kind=Deployment`, and its type. */
export interface TypedKind {
  readonly name: string;
  readonly type: Type;
}

export interface CheckedExpressions {
  readonly variables: readonly PolicyVariable[];
  /** By the path of their field. */
  readonly expressions: readonly { readonly field: string; readonly expression: string }[];
  readonly kinds: readonly TypedKind[];
  /** Absent: the policy has no parameters. `type` is undefined if their schema is unknown. */
  readonly params?: { readonly type: Type | undefined } | undefined;
}

export interface TypeWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/**
 * The type errors of expressions for each kind that a policy matches. Such errors are warnings: an object may still have
 * a field that its schema does not name. Upstream: apiserver `policy/validating/typechecking.go`.
 */
export function* typeWarnings({ variables, expressions, kinds, params }: CheckedExpressions): Steps<TypeWarning[]> {
  const scopes: { readonly name: string; readonly scope: ExpressionScope }[] = [];
  for (const { name, type } of kinds) {
    const types = new VariableTypes({
      authorizer: true,
      params: params !== undefined,
      objectType: type,
      paramsType: params?.type,
    });
    for (const variable of variables) {
      yield* types.check(variable);
      yield;
    }
    scopes.push({ name, scope: types.scope() });
  }
  const found: TypeWarning[] = [];
  for (const { field, expression } of expressions) {
    const warnings: string[] = [];
    for (const { name, scope } of scopes) {
      const problem = yield* admissionExpressionProblem(expression, 'variable', scope);
      if (problem !== undefined && !problem.internal) {
        warnings.push(`${name}: ${problem.problem.replace('compilation failed: ', '')}\n`);
      }
      yield;
    }
    if (warnings.length > 0) found.push({ fieldRef: field, warning: warnings.join('\n') });
  }
  return found;
}
