import {
  DYN,
  type Environment,
  groupOverloads,
  KUBERNETES_FUNCTIONS,
  KUBERNETES_TYPES,
  type ObjectFields,
  type Type,
} from '../cel/index.js';
import { AUTHORIZATION_FUNCTIONS, AUTHORIZER_TYPE, RESOURCE_CHECK_TYPE } from './authorizer.js';
import { PATCH_FUNCTIONS, patchTypeNamed } from './patch-types.js';
import { NAMESPACE_TYPE, REQUEST_TYPE, variablesType } from './variable-types.js';

/** The names that expressions may use beyond those of every admission expression. */
export interface ExpressionScope {
  readonly params?: boolean;
  readonly authorizer?: boolean;
  /** `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey`. */
  readonly patches?: boolean;
  /** The types of a policy's own variables by name. They never change. Absent: there is no `variables`. */
  readonly variables?: ObjectFields;
  /** The type of `object` and `oldObject`. Absent: unknown. */
  readonly objectType?: Type | undefined;
  readonly paramsType?: Type | undefined;
}

const FUNCTIONS = groupOverloads(KUBERNETES_FUNCTIONS, AUTHORIZATION_FUNCTIONS);
const MUTATION_FUNCTIONS = groupOverloads(KUBERNETES_FUNCTIONS, AUTHORIZATION_FUNCTIONS, PATCH_FUNCTIONS);

/** Each field is an expression of its own. */
const SLOW: ReadonlySet<string> = new Set(['variables']);

const known = new WeakMap<ExpressionScope, Environment>();

/** Expressions with one scope share an environment, which each of them keeps. */
export function environmentOf(scope: ExpressionScope): Environment {
  let environment = known.get(scope);
  if (environment === undefined) {
    environment = makeEnvironment(scope);
    known.set(scope, environment);
  }
  return environment;
}

/** Upstream: apiserver `pkg/admission/plugin/cel/compile.go` createEnvForOpts. */
function makeEnvironment(scope: ExpressionScope): Environment {
  const object = scope.objectType ?? DYN;
  const variables = new Map<string, Type>([
    ['object', object],
    ['oldObject', object],
    ['namespaceObject', NAMESPACE_TYPE],
    ['request', REQUEST_TYPE],
  ]);
  if (scope.params === true) variables.set('params', scope.paramsType ?? DYN);
  if (scope.authorizer === true) {
    variables.set('authorizer', AUTHORIZER_TYPE);
    variables.set('authorizer.requestResource', RESOURCE_CHECK_TYPE);
  }
  if (scope.variables !== undefined) variables.set('variables', variablesType(scope.variables));
  const plain = { variables, functions: FUNCTIONS, types: KUBERNETES_TYPES, slow: SLOW };
  return scope.patches === true ? { ...plain, functions: MUTATION_FUNCTIONS, messages: patchTypeNamed } : plain;
}
