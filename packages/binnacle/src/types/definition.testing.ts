import type { JsonObject } from '@binnacle/apimachinery/json';

/** A definition of widgets in `example.com` with this schema in version `v1`. */
export function widgetDefinition(openAPIV3Schema: JsonObject, changes: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', plural: 'widgets' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      ...changes,
    },
  };
}
