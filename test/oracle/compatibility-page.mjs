import { conformanceCounts } from '../cel/spec-files.mjs';
import { countOf, countOfRun } from './run.mjs';

const coverage = {
  access: 'RBAC, access reviews, impersonation, service account tokens',
  aggregation:
    'APIServices: validation, conditions, proxying and its headers, failures, discovery, OpenAPI, automatic APIServices',
  apply: 'server-side apply: ownership, conflicts, force, removal, lists, subresources, managedFields',
  audit: 'audit events: levels, stages, bodies, annotations of webhooks and policies, impersonation',
  authn:
    'anonymous requests, static, bootstrap, webhook and service account tokens, client certificates, front proxies, token reviews',
  authz: 'webhook authorizers: what they are sent, failures and conditions; the Node authorizer; access reviews',
  crd: 'custom resources: validation, schemas, CEL, defaults, pruning, columns, subresources, versions',
  crud: 'names, bodies, media types, field validation, dry run, conflicts, preconditions, namespaces',
  defaults: 'the smallest valid object of every common kind, and its stored form',
  delete: 'finalizers, owners, policies, grace periods, events',
  discovery: 'unaggregated and aggregated discovery, health, the OpenAPI index',
  flowcontrol: 'flow schemas and priority levels: the built-in ones and their upkeep, headers, conditions, validation',
  formats: 'tables, partial metadata, YAML, Accept',
  listwatch: 'resourceVersion in every form, limit, continue, selectors, watch, bookmarks, initial events',
  oidc: 'tokens of three issuers: signatures, claims, mappings and rules in CEL, anonymous paths',
  patch: 'JSON, merge and strategic merge patch with every directive, status, scale',
  policies:
    'validating and mutating admission policies: decisions, messages, parameters, errors of expressions, cost, mutations',
  typecheck: 'type checks of validating admission policies, and their warnings',
  validation: 'invalid objects of the common kinds, and their error messages',
  webhooks:
    'mutating and validating admission webhooks: requests, answers, patches, match conditions, failures, dry run',
};

/**
 * The text of docs/compatibility.md.
 *
 * @param {import('./run.mjs').Run} run
 * @param {import('./known-differences.mjs').Explanation} explanation
 */
export function renderCompatibilityPage(run, explanation) {
  return `${[head(countOfRun(run)), table(run), expressions(conformanceCounts()), notYet, olderTexts, ...differences(explanation)].join('\n\n')}\n`;
}

const head = ({ steps }) => `<!-- Made by \`npm run oracle:report\` from a run of test/oracle. -->
# Compatibility

The reference is kube-apiserver 1.36.2 with etcd 3.5. We sent it ${steps} requests, grouped in scenarios, and recorded its answers. The
tests send the same requests to Binnacle and compare every answer with the recording.

- *exact*: same status code, content type, warnings and body. Lists have the same order. Two resourceVersions or UIDs are equal
  exactly when they are equal in the recording. Random values and times are masked, and so are the descriptions of table columns,
  which are our own words.
- *status*: same status code and, for an error, the same reason.

\`npm run oracle\` prints every difference. The counts are thresholds (\`test/oracle/thresholds.json\`): the tests fail when one goes down.`;

function table(run) {
  const row = (name, text, { exact, status, steps }) => `| ${name} | ${text} | ${exact} | ${status} | ${steps} |`;
  return [
    '| scenario | what it covers | exact | status | of |',
    '| --- | --- | ---: | ---: | ---: |',
    ...Object.entries(run).map(([scenario, verdicts]) => row(scenario, coverage[scenario] ?? '', countOf(verdicts))),
    row('**all**', '', countOfRun(run)),
  ].join('\n');
}

function expressions({ cases, exceptions }) {
  const differing = exceptions.reduce((sum, { cases: count }) => sum + count, 0);
  return [
    `## The Common Expression Language

cel-spec has ${cases} conformance cases about the language itself, without protobuf messages. ${cases - differing} of them pass. ${differing} differ,
most of them because kube-apiserver differs too (\`test/cel\`):
`,
    '| why | cases |',
    '| --- | ---: |',
    ...exceptions.map(({ reason, cases: count }) => `| ${reason} | ${count} |`),
  ].join('\n');
}

/** Behaviour in the recordings that contradicts older documentation. */
const olderTexts = `## Where 1.36 differs from older documentation

Much documentation describes releases that are years old. Binnacle does what 1.36 does:

- A list without a resourceVersion is usually served from memory, after the cache has caught up with the store.
- A watch from resourceVersion \`0\` begins with the current objects, as ADDED events. It does not replay the last five minutes.
- Beta versions of APIs are off by default; \`--runtime-config\` turns them on.
- Most kinds accept an update without a resourceVersion, and it overwrites the newest object.
- A list at a revision in the future gets 504 \`Timeout\` after three seconds. A list at a compacted revision gets 410 \`Expired\`.`;

const notYet = `## Not yet

| missing | what happens instead |
| --- | --- |
| Nodes that run containers | the included nodes are [simulated](running.md#simulated-nodes), or run [programs of this machine](processes.md); upstream's kubelets [work with Binnacle](components.md) |
| [Parts of the scheduler](../packages/scheduler/README.md): pod groups, which upstream has off by default; CSI translation of in-tree volumes | pods of a group are scheduled one by one; the affinity of in-tree volumes is compared as it is |
| Control loops that upstream has off by default: podgroup-protection, resourcepoolstatusrequest, selinux-warning; the loops for clouds | \`--controllers\` refuses their names; upstream's kube-controller-manager [works with Binnacle](components.md) |
| Spans of filters, of caches and of etcd in [traces](production.md#watch-it) | the spans of a request, of its operation with the steps as events, and of its webhooks |`;

function differences({ explained }) {
  if (explained.length === 0) return ['## Known differences\n\nNone.'];
  return [
    '## Known differences\n\nEvery answer that is not exact, by the name of its request and with the reason. In *italics*: the status differs too.',
    ...explained.map(({ reason, differences: steps }) => [`### ${reason}`, '', ...linesByScenario(steps)].join('\n')),
  ];
}

function linesByScenario(steps) {
  const byScenario = new Map();
  for (const { scenario, verdict } of steps) {
    const list = byScenario.get(scenario) ?? [];
    list.push(verdict.status ? verdict.step : `*${verdict.step}*`);
    byScenario.set(scenario, list);
  }
  return [...byScenario].map(([scenario, names]) => `- ${scenario} (${names.length}): ${names.join('; ')}`);
}
