import type { Container, Pod } from '@binnacle/client/kinds/core/v1';

/**
 * The variables of a simulated container: literal values and those of the pod's fields. Values of ConfigMaps, Secrets and
 * resources are left out, because the node does not read these.
 */
export function environmentOf(pod: Pod, { env = [] }: Container, hostname: string): ReadonlyMap<string, string> {
  const variables = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', hostname],
    ['HOME', '/root'],
  ]);
  for (const { name, value, valueFrom } of env) {
    if (valueFrom === undefined) variables.set(name, expand(value ?? '', variables));
    else if (valueFrom.fieldRef !== undefined) {
      const found = fieldOf(pod, valueFrom.fieldRef.fieldPath);
      if (found !== undefined) variables.set(name, found);
    }
  }
  return variables;
}

/** `$(NAME)` is the value of an earlier variable, `$$` a dollar sign. Upstream: `expansion.Expand`. */
function expand(value: string, variables: ReadonlyMap<string, string>): string {
  return value.replaceAll(/\$(?:\$|\(([^)]*)\))/g, (match, name: string | undefined) =>
    name === undefined ? '$' : (variables.get(name) ?? match),
  );
}

function fieldOf({ metadata, spec, status }: Pod, path: string): string | undefined {
  const [, map, key = ''] = /^metadata\.(annotations|labels)\['(.*)'\]$/.exec(path) ?? [];
  if (map === 'annotations' || map === 'labels') return metadata[map]?.[key] ?? '';
  const fields: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.nodeName': spec?.nodeName,
    'spec.serviceAccountName': spec?.serviceAccountName,
    'status.hostIP': status?.hostIP,
    'status.podIP': status?.podIP,
  };
  return Object.hasOwn(fields, path) ? fields[path] : undefined;
}
