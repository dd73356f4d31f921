import type { Container, EphemeralContainer, PodSpec, ServiceAccount } from '@binnacle/api/types/core-v1';

const ENFORCED = 'kubernetes.io/enforce-mountable-secrets';
/** The texts that Go's `strconv.ParseBool` reads as true. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/** Whether pods of the account may use only the Secrets that the account lists. */
export function enforcesMountableSecrets({ metadata }: Readonly<ServiceAccount>): boolean {
  const annotations = metadata?.annotations ?? {};
  return Object.hasOwn(annotations, ENFORCED) && TRUE.has(annotations[ENFORCED] ?? '');
}

/**
 * Why the account forbids the pod: the first Secret that the pod uses and the account does not list. Undefined: there is
 * none. Secrets in projected volumes are ignored, like upstream.
 * Upstream: `limitSecretReferences`.
 */
export function secretRefusal(spec: PodSpec, account: Readonly<ServiceAccount>): string | undefined {
  const mountable = namesOf(account.secrets);
  const because = `because service account ${account.metadata?.name ?? ''} does not reference that`;
  for (const { secret } of spec.volumes ?? []) {
    const name = secret?.secretName ?? '';
    if (secret !== undefined && !mountable.has(name)) {
      return `volume with secret.secretName="${name}" is not allowed ${because} secret`;
    }
  }
  const inContainers =
    containerSecretRefusal('init container', spec.initContainers, account) ??
    containerSecretRefusal('container', spec.containers, account);
  if (inContainers !== undefined) return inContainers;
  const pullable = namesOf(account.imagePullSecrets);
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (!pullable.has(name))
      return `imagePullSecrets[${index}].name="${name}" is not allowed ${because} imagePullSecret`;
  }
  return undefined;
}

/** The same for ephemeral containers, which an update adds. Upstream: `limitEphemeralContainerSecretReferences`. */
export function ephemeralSecretRefusal(spec: PodSpec, account: Readonly<ServiceAccount>): string | undefined {
  return containerSecretRefusal('ephemeral container', spec.ephemeralContainers, account);
}

function containerSecretRefusal(
  what: string,
  containers: readonly (Container | EphemeralContainer)[] | undefined,
  account: Readonly<ServiceAccount>,
): string | undefined {
  const mountable = namesOf(account.secrets);
  const message = (container: string, how: string, name: string): string =>
    `${what} ${container} with ${how} referencing secret.secretName="${name}" is not allowed ` +
    `because service account ${account.metadata?.name ?? ''} does not reference that secret`;
  for (const { name: container, env = [], envFrom = [] } of containers ?? []) {
    for (const { name: variable, valueFrom } of env) {
      const name = valueFrom?.secretKeyRef?.name ?? '';
      if (valueFrom?.secretKeyRef !== undefined && !mountable.has(name)) {
        return message(container, `envVar ${variable}`, name);
      }
    }
    for (const { secretRef } of envFrom) {
      const name = secretRef?.name ?? '';
      if (secretRef !== undefined && !mountable.has(name)) return message(container, 'envFrom', name);
    }
  }
  return undefined;
}

function namesOf(references: readonly { readonly name?: string | undefined }[] | undefined): ReadonlySet<string> {
  return new Set((references ?? []).map(({ name = '' }) => name));
}
