import type { MatchConditions } from '@binnacle/apimachinery/admission-expressions';
import { isObject, type JsonObject, parseJsonInSteps } from '@binnacle/apimachinery/json';
import { forbidden } from '@binnacle/apimachinery/status';
import {
  type AdmissionAttributes,
  aggregate,
  type AuthorizeExpression,
  requestDocument,
  type VersionedResource,
} from '../admission/index.js';
import { inSlices } from '../slices/index.js';
import type { ConfiguredWebhook } from './configured-webhook.js';
import { reviewedObjects } from './reviewed-objects.js';

/** What the match conditions of a webhook say about a request. */
export interface ConditionsOutcome {
  readonly matches: boolean;
  /** Why that is unknown, so that the failure policy decides. */
  readonly errors: readonly string[];
}

const compiled = new WeakMap<ConfiguredWebhook, MatchConditions>();

/** Evaluates the match conditions of a webhook, which are compiled once. The engine loads on first use. */
export async function evaluateConditions(
  webhook: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  seen: VersionedResource,
  authorize: AuthorizeExpression,
): Promise<ConditionsOutcome> {
  const expressions = await import('@binnacle/apimachinery/admission-expressions');
  let conditions = compiled.get(webhook);
  if (conditions === undefined) {
    conditions = new expressions.MatchConditions(webhook.webhook.matchConditions ?? []);
    compiled.set(webhook, conditions);
  }
  const { object, oldObject } = await reviewedObjects(attributes, seen.kind);
  const { user, resource, subresource, namespace, name } = attributes;
  const checks = new expressions.AuthorizationChecks((check) => authorize(user, check));
  const input = new expressions.AdmissionInput({
    object: await documentOf(object),
    oldObject: await documentOf(oldObject),
    request: () => requestDocument(attributes, seen),
    authorizer: {
      checks,
      resource: { group: resource.group, resource: resource.resource, subresource, namespace, name },
    },
  });
  const result = await conditions.evaluate({ input });
  return { matches: result.matches, errors: 'errors' in result ? result.errors : [] };
}

async function documentOf(bytes: Uint8Array | undefined): Promise<JsonObject | undefined> {
  if (bytes === undefined) return undefined;
  const { value } = await inSlices(parseJsonInSteps(bytes));
  return isObject(value) ? value : undefined;
}

/** The answer to a request when the conditions of a webhook that fails closed are unknown. */
export function conditionsUnknown({ resource, name }: AdmissionAttributes, errors: readonly string[]) {
  return forbidden(resource, name, aggregate(errors));
}
