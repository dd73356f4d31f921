import type { Container } from '../generated/types/core-v1.js';

/** `a=1,b=2` by key, or `<none>`. Upstream: `labels.FormatLabels`. */
export function formatLabels(labels: { readonly [key: string]: string } | null | undefined): string {
  if (!labels) return '<none>';
  const pairs = Object.keys(labels)
    .toSorted()
    .map((key) => `${key}=${labels[key] ?? ''}`);
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

/** Joins the first `most` items and counts the rest. Returns `none` for an empty list. */
export function listSome(items: readonly string[], none: string, most = 3, separator = ','): string {
  if (items.length > most) return `${items.slice(0, most).join(separator)} + ${items.length - most} more...`;
  return items.join(separator) || none;
}

/** Two cells: the names and the images of the containers. */
export function containerCells(containers: readonly Container[] | undefined): [names: string, images: string] {
  const list = containers ?? [];
  return [
    list.map((container) => container.name ?? '').join(','),
    list.map((container) => container.image ?? '').join(','),
  ];
}

export interface LoadBalancerIngress {
  ip?: string | undefined;
  hostname?: string | undefined;
}

/** Addresses of a load balancer, sorted, without duplicates. */
export function loadBalancerAddresses(ingress: readonly LoadBalancerIngress[] | undefined): string {
  const addresses = new Set<string>();
  for (const point of ingress ?? []) {
    const address = point.ip || point.hostname;
    if (address) addresses.add(address);
  }
  return [...addresses].toSorted().join(',');
}
