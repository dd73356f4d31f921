import { asKind } from '@binnacle/apimachinery/meta';
import { isMirrorPod, projectsToken, secretNames } from '@binnacle/api/pods';
import type { Random } from '@binnacle/apimachinery/clock';
import type { Container, Pod, PodSpec, ServiceAccount, Volume } from '@binnacle/api/types/core-v1';
import { unclassified } from '@binnacle/apimachinery/status';
import type { Awaitable } from '@binnacle/apimachinery/work';
import { randomSuffix } from '../../names/index.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';
import { enforcesMountableSecrets, ephemeralSecretRefusal, secretRefusal } from './mountable-secrets.js';

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const VOLUME_PREFIX = 'kube-api-access-';
/** One hour and seven seconds. Upstream recognises the tokens of pods by these seconds. */
const TOKEN_EXPIRATION_SECONDS = 3607;
const FILE_MODE = 0o644;

/** A controller creates this account shortly after each namespace. */
const DEFAULT_ACCOUNT = 'default';
const DEFAULT_ACCOUNT_ATTEMPTS = 10;
/** The pause between attempts in milliseconds; random jitter adds up to the same again. */
const RETRY_PAUSE = 100;

export interface ServiceAccountSource {
  serviceAccount(namespace: string, name: string): Awaitable<Readonly<ServiceAccount> | undefined>;
}

/** The pauses between retries, and the random source of their jitter and of volume names. */
export interface Retries {
  /** Resolves after that many milliseconds. */
  pause(milliseconds: number): Promise<void>;
  readonly random: Random;
}

/**
 * Sets the service account of each pod, the account's image pull secrets, and the volume with its token. It also
 * enforces mountable secrets where the account asks for that.
 * Upstream: `plugin/pkg/admission/serviceaccount`.
 */
export function serviceAccount(source: ServiceAccountSource, retries: Retries): AdmissionPlugin {
  const accountOf = (attributes: AdmissionAttributes, spec: PodSpec): Promise<Readonly<ServiceAccount>> =>
    findAccount(source, retries, attributes, spec);
  return {
    name: 'ServiceAccount',
    resources: ['pods'],
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    async admit(attributes) {
      if (!createsPod(attributes)) return;
      const pod = asKind<Pod>(attributes.object);
      const spec = pod?.spec;
      if (pod === undefined || spec === undefined) return;
      const account = isMirrorPod(pod) ? undefined : await complete(attributes, spec);
      check(attributes, spec, account);
    },
    async validate(attributes) {
      const { kind, subresource, operation, object } = attributes;
      const pod = asKind<Pod>(object);
      const spec = pod?.spec;
      if (kind.kind !== 'Pod' || kind.group !== '' || pod === undefined || spec === undefined) return;
      if (createsPod(attributes)) {
        const account = isMirrorPod(pod) ? undefined : await accountOf(attributes, spec);
        check(attributes, spec, account);
      }
      if (operation === 'UPDATE' && subresource === 'ephemeralcontainers') await checkEphemeral(attributes, spec);
    },
  };

  async function complete(attributes: AdmissionAttributes, spec: PodSpec): Promise<Readonly<ServiceAccount>> {
    if ((spec.serviceAccountName ?? '') === '') spec.serviceAccountName = DEFAULT_ACCOUNT;
    spec.serviceAccount = spec.serviceAccountName ?? '';
    const account = await accountOf(attributes, spec);
    if (mountsToken(spec, account)) mountToken(spec, retries.random);
    if ((spec.imagePullSecrets ?? []).length === 0 && (account.imagePullSecrets ?? []).length > 0) {
      spec.imagePullSecrets = structuredClone(account.imagePullSecrets);
    }
    return account;
  }

  async function checkEphemeral(attributes: AdmissionAttributes, spec: PodSpec): Promise<void> {
    const account = await accountOf(attributes, spec);
    const problem = enforcesMountableSecrets(account) ? ephemeralSecretRefusal(spec, account) : undefined;
    // Upstream returns an unclassified error here, so clients see a 500.
    if (problem !== undefined) throw unclassified(problem);
  }
}

/** Throws 403 when the account is missing; for the default account, after retries. */
async function findAccount(
  source: ServiceAccountSource,
  retries: Retries,
  attributes: AdmissionAttributes,
  spec: PodSpec,
): Promise<Readonly<ServiceAccount>> {
  const { namespace } = attributes;
  const name = spec.serviceAccountName ?? '';
  if (name === '') {
    throw refusal(
      attributes,
      `no service account specified for pod ${namespace}/${attributes.object?.metadata.name ?? ''}`,
    );
  }
  const attempts = name === DEFAULT_ACCOUNT ? DEFAULT_ACCOUNT_ATTEMPTS : 1;
  const milliseconds = RETRY_PAUSE + Math.floor(retries.random.number() * RETRY_PAUSE);
  for (let attempt = 1; ; attempt++) {
    const account = await source.serviceAccount(namespace, name);
    if (account !== undefined) return account;
    if (attempt === attempts) break;
    await retries.pause(milliseconds);
  }
  const problem = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  throw refusal(attributes, problem);
}

/** Throws 403. A mirror pod has no account. */
function check(attributes: AdmissionAttributes, spec: PodSpec, account: Readonly<ServiceAccount> | undefined): void {
  const problem =
    account === undefined
      ? problemOfMirrorPod(spec)
      : enforcesMountableSecrets(account)
        ? secretRefusal(spec, account)
        : undefined;
  if (problem !== undefined) throw refusal(attributes, problem);
}

function createsPod({ kind, subresource, operation, object }: AdmissionAttributes): boolean {
  return (
    kind.kind === 'Pod' && kind.group === '' && subresource === '' && operation === 'CREATE' && object !== undefined
  );
}

/** A kubelet reports its static pods as mirror pods, which must not use API objects. */
function problemOfMirrorPod(spec: Partial<PodSpec>): string | undefined {
  if ((spec.serviceAccountName ?? '') !== '') return 'a mirror pod may not reference service accounts';
  if (secretNames(spec).length > 0) return 'a mirror pod may not reference secrets';
  return projectsToken(spec) ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}

function mountsToken(spec: PodSpec, account: Readonly<ServiceAccount>): boolean {
  return spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
}

function mountToken(spec: PodSpec, random: Random): void {
  // Validation refuses volumes without a name, and comes later.
  const isMounted = ({ name }: { readonly name?: string }): boolean => name?.startsWith(VOLUME_PREFIX) === true;
  const present = spec.volumes?.find(isMounted)?.name;
  const volumeName = present ?? freeVolumeName(spec, random);
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

function freeVolumeName(spec: PodSpec, random: Random): string {
  for (;;) {
    const name = VOLUME_PREFIX + randomSuffix(random);
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
