import type { GroupVersionResource } from '@binnacle/apimachinery/meta';

/** A resource, one of its objects, or a subresource of the object. */
export interface Target {
  readonly resource: GroupVersionResource;
  /** Undefined for all namespaces and for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  /** Undefined for the collection. */
  readonly name?: string | undefined;
  /** `status`, `scale`, or for proxies also the path behind it. */
  readonly subresource?: string | undefined;
}

/** `/apis/apps/v1/namespaces/shop/deployments/web/status`. Throws a TypeError for names that are invalid in paths. */
export function pathOf({ resource, namespace, name, subresource }: Target): string {
  const { group, version } = resource;
  const root = group === '' ? `/api/${segment(version)}` : `/apis/${segment(group)}/${segment(version)}`;
  const space = namespace === undefined || namespace === '' ? '' : `/namespaces/${segment(namespace)}`;
  const object = name === undefined ? '' : `/${segment(name)}`;
  if (subresource !== undefined && name === undefined)
    throw new TypeError('a subresource needs the name of its object');
  const below = subresource === undefined ? '' : `/${subresource.split('/').map(segment).join('/')}`;
  return `${root}${space}/${segment(resource.resource)}${object}${below}`;
}

/** Rejects text that would change the path, as upstream does. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..' || /[/%]/.test(text)) {
    throw new TypeError(
      `${JSON.stringify(text)} is invalid in a path: it is empty, "." or "..", or contains "/" or "%"`,
    );
  }
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%40', '@');
}
