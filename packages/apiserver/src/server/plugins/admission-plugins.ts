import {
  type AdmissionPlugin,
  type AdmissionSettings,
  alwaysAdmit,
  alwaysDeny,
  alwaysPullImages,
  type AudienceAuthorizer,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerationSeconds,
  denyServiceExternalIPs,
  eventRateLimit,
  extendedResourceToleration,
  type ImageReviewer,
  imagePolicyWebhook,
  limitPodHardAntiAffinityTopology,
  limitRanger,
  namespaceAutoProvision,
  type NamespaceCreator,
  namespaceExists,
  namespaceLifecycle,
  nodeDeclaredFeatureValidator,
  nodeRestriction,
  ownerReferencesPermissionEnforcement,
  type OwnerRights,
  persistentVolumeClaimResize,
  podNodeSelector,
  podResizeValidator,
  podSecurity,
  type PodSecurityObserver,
  podTolerationRestriction,
  podTopologyLabels,
  priority,
  resourceQuota,
  type ResourceQuotaSource,
  type Retries,
  runtimeClass,
  serviceAccount,
  type SignerAuthorizer,
  storageObjectInUseProtection,
  taintNodesByCondition,
} from '../../admission/index.js';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { AdmissionObjects } from '../sources/index.js';
import type { WebhookPlugins } from './webhook-plugins.js';

/** On by default in kube-apiserver and not built here. Enabling or disabling them changes nothing. */
const ABSENT_BY_DEFAULT: ReadonlySet<string> = new Set([
  'PodGroupProtection',
  'PodGroupWorkloadExists',
  'JobValidation',
]);

/**
 * Off by default in kube-apiserver and built here. NodeRestriction is not among them, because this server always
 * authorizes nodes.
 */
const OFF_BY_DEFAULT: ReadonlySet<string> = new Set([
  'AlwaysAdmit',
  'AlwaysDeny',
  'AlwaysPullImages',
  'DenyServiceExternalIPs',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'ImagePolicyWebhook',
  'LimitPodHardAntiAffinityTopology',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'OwnerReferencesPermissionEnforcement',
  'PodNodeSelector',
  'PodTolerationRestriction',
]);

export interface AdmissionSources {
  readonly objects: AdmissionObjects;
  readonly namespaces: NamespaceCreator;
  readonly policies: { readonly mutating: AdmissionPlugin; readonly validating: AdmissionPlugin };
  readonly webhooks: WebhookPlugins;
  readonly quotas: ResourceQuotaSource;
  readonly authorizer: SignerAuthorizer & AudienceAuthorizer;
  readonly owners: OwnerRights;
  readonly retries: Retries;
  readonly clock: Clock;
  readonly settings: AdmissionSettings;
  readonly podSecurity: PodSecurityObserver;
  /** Undefined: no ImagePolicyWebhook is configured. */
  readonly imageReviewer: ImageReviewer | undefined;
}

export interface AdmissionChoice {
  /** Comma-separated names, as in the kube-apiserver flags. */
  readonly enableAdmissionPlugins?: string | undefined;
  readonly disableAdmissionPlugins?: string | undefined;
}

/** A plugin to enable or disable is unknown, in both lists, or enabled without the configuration that it needs. */
export class AdmissionPluginsError extends Error {
  override readonly name = 'AdmissionPluginsError';
}

/**
 * The plugins in upstream's order, for mutating and for validating admission. Throws {@link AdmissionPluginsError}
 * for an invalid choice. Upstream: `pkg/kubeapiserver/options/plugins.go`.
 */
export function admissionPlugins(sources: AdmissionSources, choice: AdmissionChoice): AdmissionPlugin[] {
  const { objects, namespaces, policies, webhooks, quotas, authorizer, retries, settings } = sources;
  const images = sources.imageReviewer === undefined ? undefined : imagePolicyWebhook(sources.imageReviewer);
  const { tolerations = { default: [], whitelist: [] }, nodeSelectors = new Map<string, string>() } = settings;
  const all: readonly AdmissionPlugin[] = [
    alwaysAdmit,
    namespaceAutoProvision(namespaces),
    namespaceLifecycle(objects.namespaces, sources.clock),
    namespaceExists(objects.namespaces),
    limitPodHardAntiAffinityTopology,
    limitRanger(objects.limitRanges),
    serviceAccount(objects.serviceAccounts, retries),
    nodeRestriction({ ...objects.nodes, ...objects.podsOfNodes }, authorizer),
    taintNodesByCondition,
    alwaysPullImages,
    images ?? unconfigured('ImagePolicyWebhook'),
    podSecurity(objects.podSecurity, sources.podSecurity, settings.podSecurity),
    podNodeSelector(objects.namespaces, nodeSelectors),
    priority(objects.priorities),
    defaultTolerationSeconds,
    podTolerationRestriction(objects.namespaces, tolerations),
    eventRateLimit(settings.eventLimits ?? [], sources.clock),
    extendedResourceToleration,
    defaultStorageClass(objects.defaultClasses),
    storageObjectInUseProtection,
    ownerReferencesPermissionEnforcement(sources.owners),
    persistentVolumeClaimResize(objects.storageClasses),
    runtimeClass(objects.runtimeClasses),
    certificateApproval(authorizer),
    certificateSigning(authorizer),
    clusterTrustBundleAttest(authorizer),
    certificateSubjectRestriction,
    defaultIngressClass(objects.defaultClasses),
    denyServiceExternalIPs,
    podTopologyLabels(objects.cachedNodes),
    nodeDeclaredFeatureValidator(objects.nodes),
    podResizeValidator(objects.nodes),
    policies.mutating,
    webhooks.mutating,
    policies.validating,
    webhooks.validating,
    resourceQuota(quotas, settings.limitedResources),
    alwaysDeny,
  ];
  const { enabled, disabled } = checkedChoice(choice, all);
  if (enabled.has('EventRateLimit') && settings.eventLimits === undefined) {
    throw new AdmissionPluginsError(
      unconfiguredMessage('EventRateLimit', 'limits: Invalid value: []: must not be empty'),
    );
  }
  if (enabled.has('ImagePolicyWebhook') && images === undefined) {
    throw new AdmissionPluginsError(unconfiguredMessage('ImagePolicyWebhook', 'no config specified'));
  }
  return all.filter(({ name }) => !disabled.has(name) && (!OFF_BY_DEFAULT.has(name) || enabled.has(name)));
}

/** Holds the place of a plugin that cannot run without a configuration. */
function unconfigured(name: string): AdmissionPlugin {
  return { name, handles: () => false };
}

function unconfiguredMessage(name: string, problem: string): string {
  return `couldn't init admission plugin "${name}": ${problem}; configure it with --admission-control-config-file`;
}

function checkedChoice(choice: AdmissionChoice, all: readonly AdmissionPlugin[]) {
  const enabled = namesIn(choice.enableAdmissionPlugins);
  const disabled = namesIn(choice.disableAdmissionPlugins);
  const built = new Set(all.map(({ name }) => name));
  for (const [flag, names] of [
    ['enable-admission-plugins', enabled],
    ['disable-admission-plugins', disabled],
  ] as const) {
    const unknown = names.find((name) => !built.has(name) && !ABSENT_BY_DEFAULT.has(name));
    if (unknown !== undefined) {
      throw new AdmissionPluginsError(`--${flag}: there is no admission plugin ${JSON.stringify(unknown)}`);
    }
  }
  const both = enabled.find((name) => disabled.includes(name));
  if (both !== undefined) {
    throw new AdmissionPluginsError(
      `--enable-admission-plugins and --disable-admission-plugins both name ${JSON.stringify(both)}`,
    );
  }
  return { enabled: new Set(enabled), disabled: new Set(disabled) };
}

function namesIn(list: string | undefined): string[] {
  return (list ?? '').split(',').flatMap((name) => name.trim() || []);
}
