import { conformanceCounts } from '../cel/spec-files.mjs';
import { countOf, countOfRun } from './run.mjs';

const coverage = {
  access: 'RBAC, access reviews, impersonation, service account tokens',
  apply: 'server-side apply: ownership, conflicts, force, removal, lists, subresources, managedFields',
  crd: 'custom resources: validation, schemas, CEL, defaults, pruning, columns, subresources, versions',
  crud: 'names, bodies, media types, field validation, dry run, fencing, preconditions, namespaces',
  defaults: 'the smallest legal object of every common kind, and what comes back',
  delete: 'finalizers, owners, policies, grace periods, events',
  discovery: 'discovery documents old and aggregated, health, the index of OpenAPI',
  formats: 'tables of many kinds, metadata alone, YAML, Accept',
  listwatch: 'resourceVersion in every form, limit, continue, selectors, watch, bookmarks, initial events',
  patch: 'JSON, merge and strategic merge patch with every directive, status, scale',
  validation: 'wrong objects of the common kinds, and what is said of them',
};

/**
 * The text of docs/compatibility.md.
 *
 * @param {import('./run.mjs').Run} run
 * @param {import('./known-differences.mjs').Explanation} explanation
 */
export function renderCompatibilityPage(run, explanation) {
  return `${[head(countOfRun(run)), table(run), expressions(conformanceCounts()), olderTexts, ...differences(explanation)].join('\n\n')}\n`;
}

const head = ({ steps }) => `<!-- Made by \`npm run oracle:report\` from a run of test/oracle. -->
# Compatibility

The measure is what a real kube-apiserver answers. ${steps} requests, in scenarios, were put to kube-apiserver 1.36.2 with etcd
3.5 and its answers recorded; the tests put the same requests to Binnacle and hold each answer against the recorded one.

- *exact*: same status code, content type, warnings and body. Lists are in the same order, and resourceVersions and UIDs are
  equal to each other, or unequal, as in the recording. What chance or time decides is masked, and so are the descriptions of
  table columns, which are Binnacle's own.
- *status*: same status code and, for an error, the same reason.

\`npm run oracle\` prints every difference. The counts are floors (\`test/oracle/floors.json\`): a change that loses a step fails.`;

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

Of the conformance cases of cel-spec, ${cases} speak of the language without messages of protobuf. ${cases - differing} end as they should, and
${differing} otherwise, most of them because kube-apiserver does too (\`test/cel\`):
`,
    '| why | cases |',
    '| --- | ---: |',
    ...exceptions.map(({ reason, cases: count }) => `| ${reason} | ${count} |`),
  ].join('\n');
}

/** What the recording shows, and much that is still read about Kubernetes says otherwise. */
const olderTexts = `## Where 1.36 differs from older texts

Much that is read about Kubernetes describes releases of years ago. Binnacle does as 1.36 does:

- A list without a resourceVersion, or a page of one, need not reach the store: it is answered from memory that has caught up with it.
- A watch from resourceVersion \`0\` begins with the objects as they are now, as ADDED events; it does not replay five minutes of history.
- Beta versions of APIs are off by default; \`--runtime-config\` turns them on.
- Most kinds take an update without a resourceVersion, which then overwrites whatever is there.
- A list at a resourceVersion that has not been reached is 504 \`Timeout\`, after three seconds; one whose history is gone is 410 \`Expired\`.`;

function differences({ explained }) {
  if (explained.length === 0) return ['## Known differences\n\nNone.'];
  return [
    '## Known differences\n\nEvery step that is not exact, with the reason. *Slanted*: the status differs, too.',
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
