import { forbidden, quoteGo, type StatusError } from '@binnacle/apimachinery/status';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/index.js';
import type { Filter, RequestContext } from '../request/index.js';

/** Authorizes every request. Answers 403 when the authorizer does not allow it. */
export function authorization(authorizer: Authorizer): Filter {
  return {
    name: 'authorization',
    enter: (context) => {
      const attributes = attributesOf(context);
      context.authorizeAs = (verb) => authorize(authorizer, context, { ...attributes, verb });
      return authorize(authorizer, context, attributes);
    },
  };
}

function authorize(
  authorizer: Authorizer,
  context: RequestContext,
  attributes: AuthorizationAttributes,
): void | Promise<void> {
  const decision = authorizer.authorize(attributes);
  if (decision instanceof Promise) return decision.then((decided) => enforce(context, attributes, decided));
  enforce(context, attributes, decision);
  return undefined;
}

function enforce(context: RequestContext, attributes: AuthorizationAttributes, decision: Decision): void {
  if (context.audit !== undefined) {
    context.annotate('authorization.k8s.io/decision', decision.allowed ? 'allow' : 'forbid');
    context.annotate('authorization.k8s.io/reason', decision.reason);
  }
  if (decision.allowed) return;
  context.responseHeaders['x-content-type-options'] = 'nosniff';
  throw forbiddenRequest(attributes, decision.reason);
}

export function attributesOf({ user, info, query }: RequestContext): AuthorizationAttributes {
  return {
    user,
    verb: info.verb,
    isResourceRequest: info.isResourceRequest,
    namespace: info.namespace,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    name: info.name,
    path: info.path,
    fieldSelector: query.get('fieldSelector') ?? '',
  };
}

/** Upstream: apiserver `pkg/endpoints/handlers/responsewriters/errors.go`. */
export function forbiddenRequest(attributes: AuthorizationAttributes, reason: string): StatusError {
  const what = withoutMarkup(describe(attributes));
  return forbidden(
    { group: attributes.group, resource: attributes.resource },
    attributes.name,
    reason === '' ? what : `${what}: ${reason}`,
  );
}

function describe(attributes: AuthorizationAttributes): string {
  const who = `User ${quoteGo(attributes.user.name)} cannot ${attributes.verb}`;
  if (!attributes.isResourceRequest) return `${who} path ${quoteGo(attributes.path)}`;
  const { resource, subresource, namespace } = attributes;
  const what = quoteGo(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoteGo(namespace)}`;
  return `${who} resource ${what} in API group ${quoteGo(attributes.group)} ${where}`;
}

/** Escapes markup, so that no browser renders a message as HTML. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
