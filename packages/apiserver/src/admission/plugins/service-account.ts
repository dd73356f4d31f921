import { isMirrorPod, projectsToken, secretNames } from '@binnacle/api/pods';
import type { Container, Pod, PodSpec, ServiceAccount, Volume } from '@binnacle/api/types/core-v1';
import { randomSuffix } from '../../names/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const VOLUME_PREFIX = 'kube-api-access-';
/** One hour and some seconds, by which upstream recognises tokens that it asked for itself. */
const TOKEN_EXPIRATION_SECONDS = 3607;
const FILE_MODE = 0o644;

export interface ServiceAccountSource {
  serviceAccount(namespace: string, name: string): Promise<Readonly<ServiceAccount> | undefined>;
}

/**
 * Gives each pod its service account, the account's image pull secrets, and the volume with its token.
 * Upstream: `plugin/pkg/admission/serviceaccount`.
 */
export function serviceAccount(source: ServiceAccountSource): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    resources: ['pods'],
    handles: (operation) => operation === 'CREATE',
    async admit(attributes) {
      const { kind, subresource, object, namespace } = attributes;
      if (kind.kind !== 'Pod' || kind.group !== '' || subresource !== '' || object === undefined) return;
      const pod = object as unknown as Pod;
      const spec = pod.spec;
      if (spec === undefined || isMirrorPod(object)) return;
      if ((spec.serviceAccountName ?? '') === '') spec.serviceAccountName = 'default';
      const accountName = spec.serviceAccountName ?? 'default';
      spec.serviceAccount = accountName;
      const account = await source.serviceAccount(namespace, accountName);
      if (account === undefined) {
        const problem = `error looking up service account ${namespace}/${accountName}: serviceaccount "${accountName}" not found`;
        throw refusal(attributes, problem);
      }
      if (mountsToken(spec, account)) mountToken(spec);
      if ((spec.imagePullSecrets ?? []).length === 0 && (account.imagePullSecrets ?? []).length > 0) {
        spec.imagePullSecrets = structuredClone(account.imagePullSecrets);
      }
    },
    validate(attributes) {
      const { kind, subresource, object } = attributes;
      if (kind.kind !== 'Pod' || kind.group !== '' || subresource !== '') return;
      if (object === undefined || !isMirrorPod(object)) return;
      const problem = problemOfMirrorPod((object as unknown as Pod).spec ?? {});
      if (problem !== undefined) throw refusal(attributes, problem);
    },
  };
}

/** What a kubelet shows of a pod of its own has nothing that only the server could give it. */
function problemOfMirrorPod(spec: Partial<PodSpec>): string | undefined {
  if ((spec.serviceAccountName ?? '') !== '') return 'a mirror pod may not reference service accounts';
  if (secretNames(spec).length > 0) return 'a mirror pod may not reference secrets';
  return projectsToken(spec) ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}

function mountsToken(spec: PodSpec, account: Readonly<ServiceAccount>): boolean {
  return spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
}

function mountToken(spec: PodSpec): void {
  const present = spec.volumes?.find((volume) => volume.name.startsWith(VOLUME_PREFIX))?.name;
  const volumeName = present ?? freeVolumeName(spec);
  let needed = false;
  const mount = (container: Container): void => {
    if (container.volumeMounts?.some((each) => each.mountPath === MOUNT_PATH) === true) return;
    needed = true;
    container.volumeMounts = [
      ...(container.volumeMounts ?? []),
      { name: volumeName, readOnly: true, mountPath: MOUNT_PATH },
    ];
  };
  for (const container of spec.initContainers ?? []) mount(container);
  for (const container of spec.containers ?? []) mount(container);
  if (needed && present === undefined) spec.volumes = [...(spec.volumes ?? []), tokenVolume(volumeName)];
}

function freeVolumeName(spec: PodSpec): string {
  for (;;) {
    const name = VOLUME_PREFIX + randomSuffix();
    if (spec.volumes?.some((volume) => volume.name === name) !== true) return name;
  }
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_EXPIRATION_SECONDS, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: FILE_MODE,
    },
  };
}
