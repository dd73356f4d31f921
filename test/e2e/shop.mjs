// The objects of a small shop, with a custom resource, for tests that move them.

export const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };

const named = (apiVersion, kind, name, rest) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'shop' },
  ...rest,
});

export const shopManifests = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    },
    named('example.com/v1', 'Widget', 'w', { spec: { size: 7 } }),
    named('v1', 'Secret', 'key', { data: { color: 'Ymx1ZQ==' } }),
    named('v1', 'ConfigMap', 'settings', { data: { color: 'blue' }, binaryData: { noise: 'AP8Q' } }),
    named('v1', 'ServiceAccount', 'seller', {}),
    named('v1', 'Service', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }),
    named('v1', 'Service', 'door', { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] } }),
    named('apps/v1', 'Deployment', 'web', {
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '100m' } } }] },
        },
      },
    }),
    named('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3 },
    }),
    named('networking.k8s.io/v1', 'Ingress', 'web', {
      spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
    }),
    named('rbac.authorization.k8s.io/v1', 'Role', 'seller', {
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
    }),
  ],
};
