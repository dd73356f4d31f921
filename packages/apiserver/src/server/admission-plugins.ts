import {
  type AdmissionPlugin,
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
  extendedResourceToleration,
  limitRanger,
  namespaceAutoProvision,
  type NamespaceCreator,
  namespaceExists,
  namespaceLifecycle,
  nodeDeclaredFeatureValidator,
  nodeRestriction,
  persistentVolumeClaimResize,
  podResizeValidator,
  podSecurity,
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
} from '../admission/index.js';
import type { AdmissionObjects } from './sources/index.js';
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
  'ExtendedResourceToleration',
  'NamespaceAutoProvision',
  'NamespaceExists',
]);

/**
 * Off by default in kube-apiserver and not built here. Enabling one is an error, so that it is not silently missing.
 */
const ABSENT: ReadonlySet<string> = new Set([
  'EventRateLimit',
  'ImagePolicyWebhook',
  'LimitPodHardAntiAffinityTopology',
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
  readonly retries: Retries;
}

export interface AdmissionChoice {
  /** Comma-separated names, as in the kube-apiserver flags. */
  readonly enableAdmissionPlugins?: string | undefined;
  readonly disableAdmissionPlugins?: string | undefined;
}

/** The names of plugins to enable or disable are invalid. */
export class AdmissionPluginsError extends Error {
  override readonly name = 'AdmissionPluginsError';
}

/**
 * The plugins in upstream's order, for mutating and for validating admission. Throws {@link AdmissionPluginsError}
 * for unknown names. Upstream: `pkg/kubeapiserver/options/plugins.go`.
 */
export function admissionPlugins(sources: AdmissionSources, choice: AdmissionChoice): AdmissionPlugin[] {
  const { objects, namespaces, policies, webhooks, quotas, authorizer, retries } = sources;
  const all: readonly AdmissionPlugin[] = [
    alwaysAdmit,
    namespaceAutoProvision(namespaces),
    namespaceLifecycle(objects.namespaces),
    namespaceExists(objects.namespaces),
    limitRanger(objects.limitRanges),
    serviceAccount(objects.serviceAccounts, retries),
    nodeRestriction({ ...objects.nodes, ...objects.podsOfNodes }, authorizer),
    taintNodesByCondition,
    alwaysPullImages,
    podSecurity(objects.podSecurity),
    priority(objects.priorities),
    defaultTolerationSeconds,
    extendedResourceToleration,
    defaultStorageClass(objects.defaultClasses),
    storageObjectInUseProtection,
    persistentVolumeClaimResize(objects.storageClasses),
    runtimeClass(objects.runtimeClasses),
    certificateApproval(authorizer),
    certificateSigning(authorizer),
    clusterTrustBundleAttest(authorizer),
    certificateSubjectRestriction,
    defaultIngressClass(objects.defaultClasses),
    denyServiceExternalIPs,
    podTopologyLabels(objects.nodes),
    nodeDeclaredFeatureValidator(objects.nodes),
    podResizeValidator(objects.nodes),
    policies.mutating,
    webhooks.mutating,
    policies.validating,
    webhooks.validating,
    resourceQuota(quotas),
    alwaysDeny,
  ];
  const { enabled, disabled } = checkedChoice(choice, all);
  return all.filter(({ name }) => !disabled.has(name) && (!OFF_BY_DEFAULT.has(name) || enabled.has(name)));
}

function checkedChoice(choice: AdmissionChoice, all: readonly AdmissionPlugin[]) {
  const enabled = namesIn(choice.enableAdmissionPlugins);
  const disabled = namesIn(choice.disableAdmissionPlugins);
  const built = new Set(all.map(({ name }) => name));
  for (const [flag, names] of [
    ['enable-admission-plugins', enabled],
    ['disable-admission-plugins', disabled],
  ] as const) {
    const unknown = names.find((name) => !built.has(name) && !ABSENT_BY_DEFAULT.has(name) && !ABSENT.has(name));
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
  const absent = enabled.find((name) => ABSENT.has(name));
  if (absent !== undefined) {
    throw new AdmissionPluginsError(`--enable-admission-plugins: ${absent} is not built; leave it out`);
  }
  return { enabled: new Set(enabled), disabled: new Set(disabled) };
}

function namesIn(list: string | undefined): string[] {
  return (list ?? '').split(',').flatMap((name) => name.trim() || []);
}
