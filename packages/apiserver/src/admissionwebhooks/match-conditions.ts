import type * as admissionExpressions from '@binnacle/apimachinery/admission-expressions';
import { joinMessages } from '@binnacle/apimachinery/errors';
import { forbidden } from '@binnacle/apimachinery/status';
import {
  type AdmissionAttributes,
  type AuthorizeExpression,
  requestDocument,
  type RequestObjects,
  type VersionedResource,
} from '../admission/index.js';
import { inSlices, onceInSlices } from '../slices/index.js';
import type { ConfiguredWebhook } from './configured-webhook.js';

/** What the match conditions of a webhook say about a request. */
export interface ConditionsOutcome {
  readonly matches: boolean;
  /** Why that is unknown, so that the failure policy decides. */
  readonly errors: readonly string[];
}

let expressions: typeof admissionExpressions | undefined;
type Conditions = admissionExpressions.MatchConditions;
const compiled = new WeakMap<ConfiguredWebhook, () => Conditions | Promise<Conditions>>();

/** Evaluates the match conditions of a webhook, which are compiled once. The engine loads on first use. */
export async function evaluateConditions(
  webhook: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  seen: VersionedResource,
  objects: RequestObjects,
  authorize: AuthorizeExpression,
): Promise<ConditionsOutcome> {
  expressions ??= await import('@binnacle/apimachinery/admission-expressions');
  const { MatchConditions } = expressions;
  let compile = compiled.get(webhook);
  if (compile === undefined) {
    compile = onceInSlices(() => MatchConditions.compile(webhook.webhook.matchConditions ?? []));
    compiled.set(webhook, compile);
  }
  const conditions = await compile();
  const { user, resource, subresource, namespace, name, signal } = attributes;
  const checks = new expressions.AuthorizationChecks((check) => authorize(user, check));
  const input = new expressions.AdmissionInput({
    ...(await objects.documents(seen.kind)),
    request: () => requestDocument(attributes, seen),
    authorizer: {
      checks,
      resource: { group: resource.group, resource: resource.resource, subresource, namespace, name },
    },
  });
  const result = await conditions.evaluate({ input, run: (steps) => inSlices(steps, signal) });
  return { matches: result.matches, errors: 'errors' in result ? result.errors : [] };
}

/** The answer to a request when the conditions of a webhook that fails closed are unknown. */
export function conditionsUnknown({ resource, name }: AdmissionAttributes, errors: readonly string[]) {
  return forbidden(resource, name, joinMessages(errors));
}
