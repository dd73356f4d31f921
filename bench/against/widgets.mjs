/** A custom resource with a schema, defaults and a status, in the manner of those that operators define. */
export const widgets = '/apis/bench.example.com/v1/namespaces/default/widgets';

export const nameOfWidget = (index) => `widget-${index}`;

export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  replicas: { type: 'integer', minimum: 0, default: 1 },
                  policy: { type: 'string', enum: ['Always', 'Never'], default: 'Always' },
                  parts: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, text: { type: 'string', maxLength: 4096 } },
                    },
                  },
                },
              },
              status: { type: 'object', properties: { ready: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

/** A widget with a part for each quarter of a kilobyte. */
export const widgetOf = (index, kilobytes) => ({
  apiVersion: 'bench.example.com/v1',
  kind: 'Widget',
  metadata: { name: nameOfWidget(index), labels: { app: 'bench' } },
  spec: {
    replicas: index % 5,
    parts: Array.from({ length: kilobytes * 4 }, (_, part) => ({ name: `part-${part}`, text: 'x'.repeat(200) })),
  },
});
