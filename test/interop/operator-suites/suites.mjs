/** The operators whose own test suites run: each module as it is, with the packages whose tests use envtest. */

/** `folder`: where the module's packages are, by its own import path. A package takes at most a few minutes. */
export const suites = [
  {
    operator: 'KubeRay',
    module: 'github.com/ray-project/kuberay/ray-operator@v1.5.0',
    packages: ['controllers/ray', 'pkg/webhooks/v1'],
  },
  {
    operator: 'Karpenter',
    module: 'sigs.k8s.io/karpenter@v1.14.1',
    packages: [
      'pkg/apis/v1',
      'pkg/controllers/state',
      'pkg/controllers/node/health',
      'pkg/controllers/node/termination',
      'pkg/controllers/nodeclaim/consistency',
      'pkg/controllers/nodeclaim/disruption',
      'pkg/controllers/nodeclaim/expiration',
      'pkg/controllers/nodeclaim/garbagecollection',
      'pkg/controllers/nodeclaim/hydration',
      'pkg/controllers/nodeclaim/lifecycle',
      'pkg/controllers/nodeclaim/podevents',
      'pkg/controllers/nodepool/counter',
      'pkg/controllers/nodepool/hash',
      'pkg/controllers/nodepool/readiness',
      'pkg/controllers/nodepool/validation',
    ],
  },
  {
    operator: 'Gatekeeper',
    module: 'github.com/open-policy-agent/gatekeeper/v3@v3.23.1',
    packages: [
      'pkg/cachemanager',
      'pkg/controller/config',
      'pkg/controller/constrainttemplatestatus',
      'pkg/controller/expansion',
      'pkg/controller/externaldata',
      'pkg/controller/mutators/core',
      'pkg/controller/syncset',
      'pkg/controller/webhookconfig',
      'pkg/readiness',
      'pkg/watch',
    ],
  },
];
