import { fieldsOf, type Item, kindText, labelOf, metadataOf } from './item.js';

/** What a rule needs to know besides the object itself. */
export interface Surroundings {
  readonly withSecrets: boolean;
  /** Whether a Service of this name selects pods, so that its endpoints are made by a controller. */
  readonly selectsPods: (namespace: string, name: string) => boolean;
}

type Rule = (item: Item, surroundings: Surroundings) => boolean;

/** Kinds of which no object is moved, and why. */
const kinds: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Event: 'Events are about what happened on the other server',
    'Event.events.k8s.io': 'Events are about what happened on the other server',
    'Lease.coordination.k8s.io': 'Leases are held by processes of the other server',
    'LeaseCandidate.coordination.k8s.io': 'Leases are held by processes of the other server',
    'CertificateSigningRequest.certificates.k8s.io': 'certificate requests are for the authority of the other server',
    'PodCertificateRequest.certificates.k8s.io': 'certificate requests are for the authority of the other server',
    'IPAddress.networking.k8s.io': 'IPAddresses, which a server makes for Services',
    'StorageVersion.internal.apiserver.k8s.io': 'StorageVersions, which a server makes',
    'StorageVersionMigration.storagemigration.k8s.io':
      'StorageVersionMigrations are about the store of the other server',
  }),
);

const has =
  (kind: string, field: 'labels' | 'annotations', name: string, value?: string): Rule =>
  (item) => {
    const found = kindText(item) === kind ? labelOf(item, field, name) : undefined;
    return found !== undefined && (value === undefined || found === value);
  };

const is =
  (kind: string, name: RegExp, namespace?: string): Rule =>
  (item) =>
    kindText(item) === kind && name.test(item.name) && (namespace === undefined || item.namespace === namespace);

const isDefaultRBAC: Rule = (item) =>
  item.group === 'rbac.authorization.k8s.io' &&
  labelOf(item, 'labels', 'kubernetes.io/bootstrapping') === 'rbac-defaults';

const isDefaultFlow: Rule = (item) =>
  item.group === 'flowcontrol.apiserver.k8s.io' &&
  labelOf(item, 'annotations', 'apf.kubernetes.io/autoupdate-spec') === 'true';

const isTokenSecret: Rule = ({ object, kind, group }) =>
  kind === 'Secret' && group === '' && object['type'] === 'kubernetes.io/service-account-token';

const isManagedEndpoints: Rule = (item, { selectsPods }) =>
  kindText(item) === 'Endpoints' && selectsPods(item.namespace, item.name);

const isManagedSlice: Rule = (item) =>
  kindText(item) === 'EndpointSlice.discovery.k8s.io' &&
  /^endpointslice(?:mirroring)?-controller\.k8s\.io$/.test(
    labelOf(item, 'labels', 'endpointslice.kubernetes.io/managed-by') ?? '',
  );

/** The first rule that is true says why. */
const rules: readonly (readonly [string, Rule])[] = [
  ['being deleted', ({ object }) => metadataOf(object)['deletionTimestamp'] !== undefined],
  ['tokens of service accounts, which the other server has signed', isTokenSecret],
  [
    'Secrets, which --secrets includes',
    ({ kind, group }, { withSecrets }) => kind === 'Secret' && group === '' && !withSecrets,
  ],
  ['default roles and bindings', isDefaultRBAC],
  ['default objects of flow control', isDefaultFlow],
  ['system priority classes', is('PriorityClass.scheduling.k8s.io', /^system-(?:node|cluster)-critical$/)],
  [
    'APIServices of built-in and custom resources',
    has('APIService.apiregistration.k8s.io', 'labels', 'kube-aggregator.kubernetes.io/automanaged'),
  ],
  ['certificates that a controller publishes', is('ConfigMap', /^kube-root-ca\.crt$/)],
  [
    'settings that a server publishes',
    is(
      'ConfigMap',
      /^(?:extension-apiserver-authentication|kube-apiserver-legacy-service-account-token-tracking)$/,
      'kube-system',
    ),
  ],
  ['the Service of the server', is('Service', /^kubernetes$/, 'default')],
  ['the Service of the server', is('Endpoints', /^kubernetes$/, 'default')],
  ['the Service of the server', is('EndpointSlice.discovery.k8s.io', /^kubernetes$/, 'default')],
  ['the Service of the server', is('ServiceCIDR.networking.k8s.io', /^kubernetes$/)],
  ['metrics of simulated nodes', has('APIService.apiregistration.k8s.io', 'labels', 'binnacle.dev/simulated')],
  ['metrics of simulated nodes', has('Service', 'labels', 'binnacle.dev/simulated')],
  ['endpoints that a controller makes', isManagedEndpoints],
  ['endpoints that a controller makes', isManagedSlice],
  ['pods that a kubelet makes from its files', has('Pod', 'annotations', 'kubernetes.io/config.mirror')],
];

/** Why an object is not moved: another server makes it itself, or could not use it. Undefined: it is moved. */
export function reasonToLeaveOut(item: Item, surroundings: Surroundings): string | undefined {
  return kinds.get(kindText(item)) ?? rules.find(([, applies]) => applies(item, surroundings))?.[0];
}

/** Whether objects of a kind are moved at all, so that they need not be read. */
export function isReadAtAll(kind: Pick<Item, 'group' | 'kind'>, withSecrets: boolean): boolean {
  return !kinds.has(kindText(kind)) && (withSecrets || kindText(kind) !== 'Secret');
}

/** For {@link Surroundings}: whether one of the items is a Service that selects pods, by namespace and name. */
export function selectsPodsAmong(items: readonly Item[]): (namespace: string, name: string) => boolean {
  const selecting = new Set(
    items
      .filter((item) => kindText(item) === 'Service')
      .filter(({ object }) => Object.keys(fieldsOf(fieldsOf(object['spec'])['selector'])).length > 0)
      .map(({ namespace, name }) => `${namespace}/${name}`),
  );
  return (namespace, name) => selecting.has(`${namespace}/${name}`);
}
