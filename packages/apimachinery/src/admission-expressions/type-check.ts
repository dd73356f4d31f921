import type { Type } from '../cel/index.js';
import { compileAdmissionExpression } from './compile.js';
import { type PolicyVariable, PolicyVariables } from './variables.js';

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
export function typeWarnings({ variables, expressions, kinds, params }: CheckedExpressions): TypeWarning[] {
  const scopes = kinds.map(({ name, type }) => {
    const plain = { authorizer: true, params: params !== undefined, objectType: type, paramsType: params?.type };
    return { name, scope: { ...plain, variables: new PolicyVariables(plain, variables).types } };
  });
  return expressions.flatMap(({ field, expression }) => {
    const warnings = scopes.flatMap(({ name, scope }) => {
      const compiled = compileAdmissionExpression(expression, 'variable', scope);
      if (!('problem' in compiled) || compiled.internal) return [];
      return [`${name}: ${compiled.problem.replace('compilation failed: ', '')}\n`];
    });
    return warnings.length === 0 ? [] : [{ fieldRef: field, warning: warnings.join('\n') }];
  });
}
