import { getOwn, isObject, type JsonObject } from '../json/index.js';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '../meta/index.js';
import { badRequest } from '../status/index.js';

/**
 * Throws for a configuration of another kind or version. Upstream: apimachinery `managedfields/internal/versioncheck.go`.
 */
export function checkKind(configuration: JsonObject, expected: GroupVersionKind): void {
  const given = kindOf(configuration);
  if (given.kind === expected.kind && formatGroupVersion(given) === formatGroupVersion(expected)) return;
  throw badRequest(`invalid object type: ${formatKind(given)}`);
}

/** `namespace/name; group/version, Kind=kind`: upstream's name of a document in apply errors. */
export function describeDocument(document: JsonObject): string {
  const metadata = getOwn(document, 'metadata');
  const text = (name: string): string => (isObject(metadata) ? textOf(metadata, name) : '');
  return `${text('namespace')}/${text('name')}; ${formatKind(kindOf(document))}`;
}

export function formatKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** If the version is invalid, the kind is empty too, like upstream's. */
function kindOf(document: JsonObject): GroupVersionKind {
  const groupVersion = parseGroupVersion(textOf(document, 'apiVersion'));
  return groupVersion === undefined
    ? { group: '', version: '', kind: '' }
    : { ...groupVersion, kind: textOf(document, 'kind') };
}

function textOf(object: JsonObject, name: string): string {
  const value = getOwn(object, name);
  return typeof value === 'string' ? value : '';
}
