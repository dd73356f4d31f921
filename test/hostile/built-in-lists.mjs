/** The longest lists and maps of built-in kinds that fit in a body. Each once held the loop for 0.3 s to minutes. */
const namespace = '/api/v1/namespaces/default';
const pods = `${namespace}/pods`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const text = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join(',');
const list = (count, make) => `[${text(count, make)}]`;
const map = (count, make, value = '"v"') => `{${text(count, (index) => `"${make(index)}":${value}`)}}`;

/** Creates an object of this JSON; in a dry run, so that a store's limit does not matter. */
const create = (path, fields, status) => ({
  method: 'POST',
  path: `${path}?dryRun=All`,
  type: 'application/json',
  body: `{${fields}}`,
  status,
});
const named = (fields) => `"metadata":{"name":"listed"},${fields}`;
const annotated = (fields) => `"metadata":{"name":"listed",${fields}}`;
const pod = (spec, container = '') =>
  create(pods, named(`"spec":{"containers":[{"name":"a","image":"a"${container}}]${spec}}`));
const affinity = (term) =>
  pod(
    `,"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"a","labelSelector":{${term}}}]}}`,
  );
const runtimeClass = (scheduling) =>
  create('/apis/node.k8s.io/v1/runtimeclasses', named(`"handler":"a","scheduling":{${scheduling}}`));
const policy = (peers) =>
  create(
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    named(`"spec":{"podSelector":{},"ingress":[{"from":${peers}}]}`),
  );
const customDefinition = (names, versions) =>
  create(
    definitions,
    `"metadata":{"name":"as.cost.example"},"spec":{"group":"cost.example","scope":"Namespaced","names":{"plural":"as","kind":"A"${names}},"versions":${versions}}`,
  );
const version = (index) =>
  `{"name":"v${index}","served":true,"storage":${index === 0},"schema":{"openAPIV3Schema":{"type":"object"}}}`;
const container = (index) => `{"name":"c${index}","image":"a"}`;
const appArmor = (index) => `container.apparmor.security.beta.kubernetes.io/o${index}`;

const row = (name, ...requests) => ({ name, requests });

export const builtInLists = [
  row(
    'finalizers that are wrong',
    create(`${namespace}/configmaps`, annotated(`"finalizers":${list(700_000, () => '"!"')}`), 422),
    create('/api/v1/namespaces', named(`"spec":{"finalizers":${list(700_000, () => '"!"')}}`), 422),
  ),
  row(
    'labels and annotations that are wrong',
    create(`${namespace}/configmaps`, annotated(`"labels":${map(100_000, (index) => `!${index}`, '"!"')}`), 422),
    create(`${namespace}/configmaps`, annotated(`"annotations":${map(100_000, (index) => `!${index}`)}`), 422),
  ),
  row(
    'keys of ConfigMaps and Secrets',
    create(`${namespace}/configmaps`, named(`"data":${map(100_000, (index) => `!${index}`)}`), 422),
    create(`${namespace}/secrets`, named(`"data":${map(100_000, (index) => `k${index}`, '"YQ=="')}`), 201),
  ),
  row(
    'policies and selectors of a pod that are wrong',
    pod('', `,"resizePolicy":${list(900_000, () => '{}')}`),
    affinity(`"matchExpressions":[{"key":"a","operator":"In","values":${list(700_000, () => '"!"')}}]`),
  ),
  row(
    'files of volumes, and managers of unprintable names',
    pod(`,"volumes":[{"name":"v","projected":{"sources":[{"downwardAPI":{"items":${list(900_000, () => '{}')}}}]}}]`),
    {
      method: 'POST',
      path: `${namespace}/configmaps?dryRun=All&fieldManager=${'%01'.repeat(20_000)}`,
      type: 'application/json',
      body: '{"metadata":{"name":"listed"}}',
      status: 422,
    },
  ),
  row(
    'resources and selectors of a pod',
    pod('', `,"resources":{"limits":${map(130_000, (index) => `a.b/${index}`, '"1"')}}`),
    affinity(`"matchLabels":${map(150_000, (index) => `k${index}`)}`),
  ),
  row(
    'claims of a pod that name none of its claims',
    pod(
      `,"resourceClaims":${list(20_000, (index) => `{"name":"n${index}","resourceClaimName":"a"}`)}`,
      `,"resources":{"claims":${list(20_000, (index) => `{"name":"o${index}"}`)}}`,
    ),
    pod(`,"schedulingGates":${list(39_000, (index) => `{"name":"a${index}"}`)}`),
  ),
  row(
    'profiles of containers that are absent',
    create(
      pods,
      `"metadata":{"name":"listed","annotations":${map(20_000, appArmor, '"unconfined"')}},"spec":{"containers":${list(40_000, container)}}`,
    ),
  ),
  row(
    'prefixes of nodes and network policies',
    create('/api/v1/nodes', named(`"spec":{"podCIDRs":${list(150_000, () => '"10.0.0.0/24"')}}`)),
    policy(list(40_000, (index) => `{"ipBlock":{"cidr":"10.0.0.0/8","except":["10.${index % 250}.0.0/16"]}}`)),
  ),
  row(
    'tolerations of a runtime class',
    runtimeClass(`"tolerations":${list(60_000, (index) => `{"key":"k${index}","operator":"Exists"}`)}`),
    runtimeClass(`"tolerations":${list(60_000, () => '{"key":"k","operator":"Exists"}')}`),
  ),
  row(
    'limits and quotas',
    create(
      `${namespace}/limitranges`,
      named(`"spec":{"limits":[{"type":"Container","max":${map(130_000, (index) => `a${index}`, '"1"')}}]}`),
      422,
    ),
    create(
      `${namespace}/resourcequotas`,
      named(`"spec":{"hard":${map(60_000, (index) => `count/r${index}.a`, '"1"')}}`),
      201,
    ),
  ),
  row(
    'addresses of services and endpoints',
    create(
      `${namespace}/services`,
      named(
        `"spec":{"ports":[{"port":80}],"externalIPs":${list(100_000, (index) => `"1.2.${(index >> 8) & 255}.${index & 255}"`)}}`,
      ),
      201,
    ),
    create(
      `${namespace}/endpoints`,
      named(
        `"subsets":[{"addresses":${list(60_000, (index) => `{"ip":"10.0.${(index >> 8) & 255}.${index & 255}"}`)},"ports":[{"port":1}]}]`,
      ),
      201,
    ),
  ),
  row(
    'versions and short names of a definition',
    customDefinition('', list(30_000, version)),
    customDefinition(`,"shortNames":${list(300_000, (index) => `"!${index}"`)}`, list(1, version)),
  ),
];
