import { kindSchema } from '@binnacle/api/table';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { decodeTyped } from '@binnacle/apimachinery/serializer';
import { badRequest, type StatusError } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../../codec/index.js';

const SCHEME = 'scheme "pkg/api/legacyscheme/scheme.go:30"';

/** Groups whose internal types are in another group. Upstream: `pkg/apis/events`, `pkg/apis/extensions`. */
const internalGroups: ReadonlyMap<string, string> = new Map([
  ['events.k8s.io Event', ''],
  ...['DaemonSet', 'Deployment', 'ReplicaSet'].map((kind) => [`extensions ${kind}`, 'apps'] as const),
  ...['Ingress', 'NetworkPolicy'].map((kind) => [`extensions ${kind}`, 'networking.k8s.io'] as const),
]);

/** Whether a kind exists, so that errors distinguish unknown kinds from unexpected ones. */
export type KindLookup = (kind: GroupVersionKind) => boolean;

/** The error for a document whose kind or version is not the expected one. */
export function wrongKind(given: GroupVersionKind, expected: GroupVersionKind, kindExists: KindLookup): StatusError {
  const exists = kindExists(given);
  // Upstream decodes known versions into the shared internal type, and checks the version afterwards.
  if (exists && given.kind === expected.kind && internalGroup(given) === internalGroup(expected)) {
    return otherVersion(formatGroupVersion(given), formatGroupVersion(expected));
  }
  return cannotHandle(given, expected, wrongKindReason(given, expected, exists));
}

function internalGroup({ group, kind }: GroupVersionKind): string {
  return internalGroups.get(`${group} ${kind}`) ?? group;
}

/** Upstream's message for a document of an unexpected kind. */
function wrongKindReason(given: GroupVersionKind, expected: GroupVersionKind, exists: boolean): string {
  if (!exists) {
    const version = JSON.stringify(formatGroupVersion(given));
    return `no kind ${JSON.stringify(given.kind)} is registered for version ${version} in ${SCHEME}`;
  }
  const target = `${internalPackage(expected.group)}.${expected.kind}`;
  return `converting (${given.version}.${given.kind}) to (${target}): unknown conversion`;
}

/** Upstream's reason for a document without a version whose kind is not in the group of the expected one. */
export function unknownInternalKind(kind: string, group: string): string {
  return `no kind ${JSON.stringify(kind)} is registered for the internal version of group ${JSON.stringify(group)} in ${SCHEME}`;
}

/**
 * Why a document does not have the codec's kind, and whether its own kind exists; undefined if it has the codec's. Upstream
 * decodes it as the kind that it names, and then fails to convert that. Throws DecodeError.
 */
export function otherKind(
  document: JsonObject,
  kind: string,
  apiVersion: string,
  codec: KindCodec,
): { readonly reason: string; readonly exists: boolean } | undefined {
  const expected = codec.groupVersionKind;
  if (kind === expected.kind && apiVersion === codec.apiVersion) return undefined;
  const given = { group: '', version: '', ...parseGroupVersion(apiVersion), kind };
  const schema = kindSchema(given);
  if (schema !== undefined) decodeTyped(document, schema);
  const exists = schema !== undefined;
  return { reason: wrongKindReason(given, expected, exists), exists };
}

/** The Go package of a group's internal types, as upstream's messages show it. */
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
