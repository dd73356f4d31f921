import {
  BudgetExceededError,
  type CompiledExpression,
  compileWithin,
  type Environment,
  Evaluation,
  type ExpressionProblem,
  JsonValues,
  POLICY_COST,
} from '@binnacle/apimachinery/admission-expressions';
import { BOOL, KUBERNETES_LIBRARY, listOf, mapOf, objectType, STRING, type Type } from '@binnacle/apimachinery/cel';
import { joinMessages } from '@binnacle/apimachinery/errors';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import type { AccessConditions, ConditionsOutcome } from '../reviewwebhooks/index.js';
import { inSlices } from '../slices/index.js';

const object = (name: string, fields: Readonly<Record<string, Type>>): Type =>
  objectType(`kubernetes.${name}`, new Map(Object.entries(fields)));
const TEXTS = listOf(STRING);
const requirement = object('SelectorRequirement', { key: STRING, operator: STRING, values: TEXTS });
const selector = { rawSelector: STRING, requirements: listOf(requirement) };

/** Upstream: apiserver `pkg/authorization/cel/compile.go` buildRequestType. */
const REQUEST = object('SubjectAccessReviewSpec', {
  resourceAttributes: object('ResourceAttributes', {
    namespace: STRING,
    verb: STRING,
    group: STRING,
    version: STRING,
    resource: STRING,
    subresource: STRING,
    name: STRING,
    fieldSelector: object('FieldSelectorAttributes', selector),
    labelSelector: object('LabelSelectorAttributes', selector),
  }),
  nonResourceAttributes: object('NonResourceAttributes', { path: STRING, verb: STRING }),
  user: STRING,
  groups: TEXTS,
  extra: mapOf(STRING, TEXTS),
  uid: STRING,
});
const ENVIRONMENT: Environment = {
  variables: new Map([['request', REQUEST]]),
  ...KUBERNETES_LIBRARY,
};

/** Compiles a condition about the spec of a SubjectAccessReview. */
export function compileCondition(source: string): CompiledExpression | ExpressionProblem {
  return compileWithin(ENVIRONMENT, source, [BOOL]);
}

/** The conditions under which a webhook is asked. Upstream: `CELMatcher` of apiserver `pkg/authorization/cel`. */
export class MatchConditions implements AccessConditions {
  readonly #conditions: readonly CompiledExpression[];

  constructor(conditions: readonly CompiledExpression[]) {
    this.#conditions = conditions;
  }

  /** The first false condition decides, also over failures of others. */
  async evaluate(spec: JsonObject): Promise<ConditionsOutcome> {
    const values = new JsonValues();
    const evaluation = new Evaluation({
      input: { read: (name) => (name === 'request' ? values.valueOf(complete(spec)) : undefined) },
      budget: POLICY_COST,
      run: (steps) => inSlices(steps),
    });
    const errors: string[] = [];
    try {
      for (const condition of this.#conditions) {
        const outcome = await evaluation.evaluate(condition);
        if ('error' in outcome) errors.push(`cel evaluation error: ${outcome.error}`);
        else if (outcome.value === false) return { matches: false };
      }
    } catch (error) {
      if (!(error instanceof BudgetExceededError)) throw error;
      errors.push(error.message);
    }
    return errors.length === 0 ? { matches: true } : { error: joinMessages(errors) };
  }
}

const EMPTY_ATTRIBUTES = { namespace: '', verb: '', group: '', version: '', resource: '', subresource: '', name: '' };

/** Conditions see every field of the user and of the resource, also empty ones. */
function complete(spec: JsonObject): JsonObject {
  const attributes = spec['resourceAttributes'] ?? null;
  return {
    user: '',
    groups: [],
    uid: '',
    extra: {},
    ...spec,
    ...(isObject(attributes) ? { resourceAttributes: { ...EMPTY_ATTRIBUTES, ...attributes } } : {}),
  };
}
