import { forbidden, internalError, quoteGo, type StatusError } from '@binnacle/apimachinery/status';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/index.js';
import { respondText } from '../http/index.js';
import type { Filter, RequestContext, RequestInfo } from '../request/index.js';

/** Authorizes every request. Answers 403 when the authorizer does not allow it, and 500 when it cannot decide. */
export function authorization(authorizer: Authorizer): Filter {
  return {
    name: 'authorization',
    enter: (context) => {
      const attributes = attributesOf(context);
      context.decideAs = (verb) => authorizer.authorize({ ...attributes, verb });
      context.authorizeAs = (verb) => {
        const asked = { ...attributes, verb };
        return whenDecided(authorizer.authorize(asked), (decision) => demand(context, asked, decision));
      };
      return whenDecided(authorizer.authorize(attributes), (decision) => enforce(context, attributes, decision));
    },
  };
}

function whenDecided(
  decision: Decision | Promise<Decision>,
  act: (decision: Decision) => void | Promise<void>,
): void | Promise<void> {
  return decision instanceof Promise ? decision.then(act) : act(decision);
}

/** An authorizer that cannot decide gets a plain text, like upstream. */
function enforce(
  context: RequestContext,
  attributes: AuthorizationAttributes,
  decision: Decision,
): void | Promise<void> {
  context.trace?.ended('Authorization done');
  const failure = decision.allowed ? undefined : decision.error;
  if (context.audit !== undefined) {
    if (failure === undefined) {
      context.annotate('authorization.k8s.io/decision', decision.allowed ? 'allow' : 'forbid');
    }
    context.annotate('authorization.k8s.io/reason', failure === undefined ? decision.reason : 'internal error');
  }
  if (failure === undefined) return demand(context, attributes, decision);
  const target = quoteGo(withoutMarkup(context.exchange.url));
  return respondText(context, 500, `Internal Server Error: ${target}: ${withoutMarkup(failure)}\n`);
}

/** Throws unless the request is allowed. */
function demand(context: RequestContext, attributes: AuthorizationAttributes, decision: Decision): void {
  if (decision.allowed) return;
  if (decision.error !== undefined) throw internalError(new Error(decision.error));
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
    ...selectorsOf(info, query),
  };
}

/** A history is that of all objects, so no selector may narrow the question. */
function selectorsOf(
  { isHistory }: RequestInfo,
  query: URLSearchParams,
): Pick<AuthorizationAttributes, 'fieldSelector' | 'labelSelector'> {
  if (isHistory) return {};
  return { fieldSelector: query.get('fieldSelector') ?? '', labelSelector: query.get('labelSelector') ?? '' };
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
