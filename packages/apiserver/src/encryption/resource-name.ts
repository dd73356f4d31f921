import type { GroupResource } from '@binnacle/apimachinery/meta';

/** Matches every resource of a group, or every group. */
export const ANY = '*';

/** `secrets`, `deployments.apps`, `*.` (the core group), `*.apps` or `*.*`. */
export function parseResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

export function formatResource({ group, resource }: GroupResource): string {
  if (group !== '') return `${resource}.${group}`;
  return resource === ANY ? '*.' : resource;
}

/** The names in a configuration that cover a resource, the most specific one first. */
export function coveringNames(resource: GroupResource): readonly string[] {
  return [resource, { group: resource.group, resource: ANY }, { group: ANY, resource: ANY }].map(formatResource);
}
