import { formatGroupVersion, type GroupVersionKind } from '@binnacle/apimachinery/meta';
import { badRequest, type StatusError } from '@binnacle/apimachinery/status';

const SCHEME = 'scheme "pkg/api/legacyscheme/scheme.go:30"';

/** Kinds of one group whose internal type is that of another. Upstream: `pkg/apis/events`, `pkg/apis/extensions`. */
const internalGroups: ReadonlyMap<string, string> = new Map([
  ['events.k8s.io Event', ''],
  ...['DaemonSet', 'Deployment', 'ReplicaSet'].map((kind) => [`extensions ${kind}`, 'apps'] as const),
  ...['Ingress', 'NetworkPolicy'].map((kind) => [`extensions ${kind}`, 'networking.k8s.io'] as const),
]);

/** Kinds that exist at all, so that errors tell an unknown kind from one in the wrong place. */
export type KindLookup = (kind: GroupVersionKind) => boolean;

/** What is answered to a document that is of another kind or version than the one that it is to become. */
export function wrongKind(given: GroupVersionKind, expected: GroupVersionKind, kindExists: KindLookup): StatusError {
  const exists = kindExists(given);
  // Upstream reads what it knows into the one type that all versions of a kind share, and looks at the version then.
  if (exists && given.kind === expected.kind && internalGroup(given) === internalGroup(expected)) {
    return otherVersion(formatGroupVersion(given), formatGroupVersion(expected));
  }
  return cannotHandle(given, expected, wrongKindReason(given, expected, exists));
}

function internalGroup({ group, kind }: GroupVersionKind): string {
  return internalGroups.get(`${group} ${kind}`) ?? group;
}

/** What upstream says of a document of another kind than the one that it is to become. */
export function wrongKindReason(given: GroupVersionKind, expected: GroupVersionKind, exists: boolean): string {
  if (!exists) {
    const version = JSON.stringify(formatGroupVersion(given));
    return `no kind ${JSON.stringify(given.kind)} is registered for version ${version} in ${SCHEME}`;
  }
  const target = `${internalPackage(expected.group)}.${expected.kind}`;
  return `converting (${given.version}.${given.kind}) to (${target}): unknown conversion`;
}

/** The Go package of a group's internal types, as upstream's texts show it. */
function internalPackage(group: string): string {
  return group === '' ? 'core' : (group.split('.', 1)[0] ?? group);
}

export function cannotHandle(given: GroupVersionKind, expected: GroupVersionKind, reason: string): StatusError {
  const version = JSON.stringify(given.version);
  return badRequest(`${given.kind} in version ${version} cannot be handled as a ${expected.kind}: ${reason}`);
}

export function otherVersion(given: string, expected: string): StatusError {
  return badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);
}
