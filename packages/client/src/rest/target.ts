import type { GroupVersionResource } from '@binnacle/apimachinery/meta';

/** A resource, or one object of it, or a subresource of that. */
export interface Target {
  readonly resource: GroupVersionResource;
  /** Absent: of all namespaces, or of a resource without them. */
  readonly namespace?: string | undefined;
  /** Absent: the collection. */
  readonly name?: string | undefined;
  /** `status`, `scale`; with what follows it, for proxies. */
  readonly subresource?: string | undefined;
}

/** `/apis/apps/v1/namespaces/shop/deployments/web/status`. Throws a TypeError for names that no path can carry. */
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

/** What would lead elsewhere is refused, as upstream does, and never sent. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..' || /[/%]/.test(text)) {
    throw new TypeError(`${JSON.stringify(text)} cannot be a part of a path: it is empty, . or .., or holds / or %`);
  }
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%40', '@');
}
