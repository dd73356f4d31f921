import { deprecationWarning, kubernetesVersion, type ResourceFacts } from '@binnacle/api/table';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import { serviceUnavailable } from '@binnacle/apimachinery/status';
import { type AdmissionObserver, type AdmissionPlugin, pluginsFor } from '../admission/index.js';
import type { Authenticate } from '../authentication/index.js';
import type { Authorizer, RoleSource } from '../authorization/index.js';
import type { KindCodec } from '../codec/index.js';
import type { KindLookup, NonStoredEndpoint, ResourceEndpoint } from '../endpoints/index.js';
import { collectionBindingHandler } from '../pods/index.js';
import type { RequestContext } from '../request/index.js';
import { localSubjectAccessReviewer, selfSubjectAccessReviewer, subjectAccessReviewer } from './access-review.js';
import { type ComponentProbe, componentStatusHandler } from './component-statuses.js';
import { type Reviewer, reviewHandler } from './review.js';
import { type AuthorizerType, selfSubjectRulesReviewer } from './rules-review.js';
import { tokenReviewer } from './token-review.js';
import { selfSubjectReviewer } from './user-info.js';

export interface ReviewEndpointsOptions {
  /** Every served resource; those without a handler here are skipped. */
  readonly resources: readonly ResourceFacts[];
  readonly authorizer: Authorizer;
  readonly roleSource: RoleSource;
  /** The authorizers in force. */
  readonly authorizers: () => readonly { readonly type: AuthorizerType }[];
  readonly authenticate: Authenticate;
  /** The audiences of this server's tokens. */
  readonly apiAudiences: readonly string[];
  readonly codecOf: (kind: GroupVersionKind) => KindCodec;
  readonly kindExists: KindLookup;
  readonly plugins: readonly AdmissionPlugin[];
  readonly admissionObserver?: AdmissionObserver;
  /** The resource that stores pods; undefined while pods are not served. */
  readonly pods: () => ResourceEndpoint | undefined;
  readonly components: ComponentProbe;
  /** Milliseconds. */
  readonly now: () => number;
}

type Handle = (context: RequestContext) => Promise<void>;

/** The endpoints of all kinds that are served but never stored. */
export function reviewEndpoints(options: ReviewEndpointsOptions): NonStoredEndpoint[] {
  const makers = handlersOf(options);
  return options.resources.flatMap((facts) => {
    const { group, version, resource, namespaced } = facts;
    const make = makers.get(`${resource}.${group}`);
    if (make === undefined) return [];
    return {
      resource: { group, version, resource },
      namespaced,
      verbs: new Set<string>(facts.verbs),
      deprecationWarning: deprecationWarning(facts, kubernetesVersion()),
      handle: make(facts, options.codecOf({ group, version, kind: facts.kind })),
    };
  });
}

/** The handlers by `resource.group`, the same for all versions. */
function handlersOf(
  options: ReviewEndpointsOptions,
): ReadonlyMap<string, (facts: ResourceFacts, codec: KindCodec) => Handle> {
  const { authorizer, kindExists, now, admissionObserver } = options;
  const review = (reviewer: Reviewer) => (facts: ResourceFacts, codec: KindCodec) => {
    const { group, version, resource, namespaced } = facts;
    const plugins = pluginsFor(options.plugins, facts);
    const admission = { plugins, ...(admissionObserver === undefined ? {} : { admissionObserver }) };
    return reviewHandler(
      { ...admission, resource: { group, version, resource }, codec, namespaced, kindExists, now },
      reviewer,
    );
  };
  return new Map([
    ['subjectaccessreviews.authorization.k8s.io', review(subjectAccessReviewer(authorizer))],
    ['selfsubjectaccessreviews.authorization.k8s.io', review(selfSubjectAccessReviewer(authorizer))],
    ['localsubjectaccessreviews.authorization.k8s.io', review(localSubjectAccessReviewer(authorizer))],
    [
      'selfsubjectrulesreviews.authorization.k8s.io',
      review(selfSubjectRulesReviewer(options.roleSource, options.authorizers)),
    ],
    ['selfsubjectreviews.authentication.k8s.io', review(selfSubjectReviewer(now))],
    ['tokenreviews.authentication.k8s.io', review(tokenReviewer(options.authenticate, options.apiAudiences))],
    ['bindings.', (_, codec) => bindings(codec, options)],
    ['componentstatuses.', (_, codec) => componentStatusHandler(codec, options.components, now)],
  ]);
}

function bindings(codec: KindCodec, { kindExists, pods }: ReviewEndpointsOptions): Handle {
  const bind = collectionBindingHandler(codec, kindExists);
  return async (context) => {
    const endpoint = pods();
    if (endpoint === undefined) throw serviceUnavailable('pods are not served');
    await bind(context, endpoint);
  };
}
