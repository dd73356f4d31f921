/** A definition of a kind with a group of its own, each version with the given parts; objects may hold anything unless they say else. */
export function definition({
  group = 'example.com',
  plural = 'things',
  kind = 'Thing',
  names = {},
  versions = [{}],
  spec = {},
} = {}) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, ...names },
      versions: versions.map((version, index) => ({
        name: 'v1',
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        ...version,
      })),
      ...spec,
    },
  };
}
