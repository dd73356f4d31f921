import {
  type AdmissionPlugin,
  certificateApproval,
  certificateSigning,
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerationSeconds,
  limitRanger,
  namespaceLifecycle,
  persistentVolumeClaimResize,
  podSecurity,
  priority,
  resourceQuota,
  type ResourceQuotaSource,
  runtimeClass,
  serviceAccount,
  type SignerAuthorizer,
  storageObjectInUseProtection,
  taintNodesByCondition,
} from '../admission/index.js';
import type { StoredSources } from './sources.js';

/** On in every kube-apiserver, and not built yet. Naming them changes nothing. */
const ABSENT_BY_DEFAULT: ReadonlySet<string> = new Set([
  'PodGroupProtection',
  'ClusterTrustBundleAttest',
  'CertificateSubjectRestriction',
  'PodTopologyLabels',
  'PodGroupWorkloadExists',
  'NodeDeclaredFeatureValidator',
  'JobValidation',
  'PodResizeValidator',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
]);

/** Off in every kube-apiserver, and not built: to have them asked for and not get them would be a surprise. */
const ABSENT: ReadonlySet<string> = new Set([
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
  'NodeRestriction',
  'OwnerReferencesPermissionEnforcement',
  'PodNodeSelector',
  'PodTolerationRestriction',
]);

export interface AdmissionSources {
  readonly objects: StoredSources;
  readonly quotas: ResourceQuotaSource;
  readonly signers: SignerAuthorizer;
}

export interface AdmissionChoice {
  /** Names joined by commas, as kube-apiserver's flags of these names take them. */
  readonly enableAdmissionPlugins?: string | undefined;
  readonly disableAdmissionPlugins?: string | undefined;
}

/** A list of plugins that cannot be followed. */
export class AdmissionPluginsError extends Error {
  override readonly name = 'AdmissionPluginsError';
}

/**
 * The plugins in upstream's order: all admit in it, then all validate. Throws {@link AdmissionPluginsError} for names that
 * do not exist. Upstream: `pkg/kubeapiserver/options/plugins.go`.
 */
export function admissionPlugins(sources: AdmissionSources, choice: AdmissionChoice): AdmissionPlugin[] {
  const { objects, quotas, signers } = sources;
  const all: readonly AdmissionPlugin[] = [
    namespaceLifecycle(objects),
    limitRanger(objects),
    serviceAccount(objects),
    taintNodesByCondition,
    podSecurity(objects),
    priority(objects),
    defaultTolerationSeconds,
    defaultStorageClass(objects),
    storageObjectInUseProtection,
    persistentVolumeClaimResize(objects),
    runtimeClass(objects),
    certificateApproval(signers),
    certificateSigning(signers),
    defaultIngressClass(objects),
    resourceQuota(quotas),
  ];
  const disabled = chosen(choice, all);
  return all.filter(({ name }) => !disabled.has(name));
}

/** Checks both lists, and answers those to leave out: whatever is built is on by default. */
function chosen(choice: AdmissionChoice, all: readonly AdmissionPlugin[]): ReadonlySet<string> {
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
  return new Set(disabled);
}

function namesIn(list: string | undefined): string[] {
  return (list ?? '').split(',').flatMap((name) => name.trim() || []);
}
