import { type Clock, type Random, sleep } from '@binnacle/apimachinery/clock';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { AdmissionPlugin, ImageReviewer, Retries } from '../../admission/index.js';
import type { AdmissionConfiguration } from '../../admissionconfiguration/index.js';
import type { Authorizer } from '../../authorization/index.js';
import { ensureObjects } from '../../bootstrap/index.js';
import type { FindEndpoint, ResourceEndpoint } from '../../endpoints/index.js';
import { podSecurityMetrics, policyMetrics, webhookMetrics } from '../../metrics/index.js';
import { mutatingPolicies, validatingPolicies } from '../../policies/index.js';
import type { Stores } from '../../registry/index.js';
import { imageReviewer, type ImageWebhook } from '../../reviewwebhooks/index.js';
import { admissionAuthorizer, ownerRights } from './admission-authorizer.js';
import { type AdmissionChoice, admissionPlugins } from './admission-plugins.js';
import { expressionAuthorizer } from './expression-authorizer.js';
import type { RemoteServices } from '../remote-services.js';
import type { ServerWebhooks } from '../server-webhooks.js';
import { type FindKind, policyObjects, type StoredSources } from '../sources/index.js';
import { StoredQuotas } from './stored-quotas.js';
import { webhookPlugins } from './webhook-plugins.js';

/** Which plugins run, and their configuration. */
export interface AdmissionOptions extends AdmissionChoice {
  readonly admissionConfiguration?: AdmissionConfiguration | undefined;
}

interface PluginOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: MetricRegistry;
  readonly retries?: Retries;
  readonly admission?: AdmissionOptions;
}

export interface PluginParts {
  readonly sources: StoredSources;
  readonly authorizer: Authorizer;
  readonly endpointOf: (kind: GroupVersionKind) => ResourceEndpoint | undefined;
  readonly webhooks: ServerWebhooks;
  readonly find: FindEndpoint;
  readonly findKind: FindKind;
  readonly stores: Stores;
  readonly remoteServices: RemoteServices;
}

/** The admission plugins of a server, in their order. */
export function createPlugins(
  options: PluginOptions,
  { sources, authorizer, find, findKind, endpointOf, webhooks, stores, remoteServices }: PluginParts,
): readonly AdmissionPlugin[] {
  const { clock, random, metrics, admission = {} } = options;
  const observer = webhookMetrics(metrics);
  const { webhooks: configured, namespaces } = sources.admission;
  const { settings = {}, imagePolicy } = admission.admissionConfiguration ?? {};
  const authorize = expressionAuthorizer(authorizer);
  const policies = { ...policyObjects(stores, findKind), authorize };
  const observation = { observer: policyMetrics(metrics), clock };
  return admissionPlugins(
    {
      policies: {
        mutating: mutatingPolicies(policies, observation),
        validating: validatingPolicies(policies, observation),
      },
      webhooks: webhookPlugins({ configured, namespaces, authorize, clients: webhooks, clock, random, observer }),
      objects: sources.admission,
      namespaces: {
        ...sources.admission.namespaces,
        createNamespace: (name) =>
          ensureObjects([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }], endpointOf),
      },
      quotas: new StoredQuotas(() => find('', 'resourcequotas')),
      authorizer: admissionAuthorizer(authorizer),
      owners: ownerRights(authorizer, findKind),
      retries: options.retries ?? { pause: (milliseconds) => sleep(clock, milliseconds), random },
      clock,
      settings,
      podSecurity: podSecurityMetrics(metrics),
      imageReviewer: imagePolicy && createReviewer(imagePolicy, remoteServices, options),
    },
    admission,
  );
}

function createReviewer(
  webhook: ImageWebhook,
  remoteServices: RemoteServices,
  { clock }: Pick<PluginOptions, 'clock'>,
): ImageReviewer {
  const service = remoteServices.open(webhook.service, { backoffMs: webhook.backoffMs, afterAnyFailure: false });
  return imageReviewer(webhook, service, clock);
}
