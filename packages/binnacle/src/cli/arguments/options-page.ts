import {
  accountCredentialsDescription,
  controllerManagerDescription,
  controllersDescription,
  healthAddressDescription,
  kubeconfigDescription,
  leaderElectDescription,
  loadBalancerIPRangeDescription,
  rootCaFileDescription,
  serviceAccountKeyDescription,
} from './controller-manager-request.js';
import { assetsDescription, assetsDirectoryDefault } from './envtest-request.js';
import { historyCommands, scopeOptions } from './history-commands.js';
import { loopOptions } from './loop-options.js';
import {
  nodesCountDescription,
  nodesDescription,
  nodesKubeconfigDescription,
  nodesKubeletAddressDescription,
  nodesMetricsDescription,
} from './nodes-request.js';
import { dataDirectoryDefault, doctorDescription, optionUsage, serveOptions } from './serve-options.js';
import {
  schedulerConfigDescription,
  schedulerDescription,
  schedulerKubeconfigDescription,
  schedulerLeaderElectDescription,
} from './scheduler-request.js';
import { consoleDescription, consoleOptions, serveConsoleOption } from './console-request.js';
import {
  resolveDescription,
  resolveKubeconfigDescription,
  resolveNamespaceDescription,
  resolveOutputDescription,
  resolveTargetDescription,
} from './resolve-request.js';
import {
  simulateDescription,
  simulateHistoryDescription,
  simulateNodesDescription,
  simulateSeedDescription,
  simulateSeedsDescription,
  simulateUntilDescription,
} from './simulate-request.js';
import { topDescription, topOptions } from './top-request.js';
import { bumpRevisionDescription, keepDescription, storeCommands } from './store-request.js';
import { testServersDescription } from './test-servers-request.js';
import { contextDescription, fromServerDescription, typesDescription, verifyDescription } from './types-request.js';

/** Renders docs/command-line.md. */
export function renderOptionsPage(): string {
  return [
    ...introduction,
    ...serveSection(),
    ...doctorSection,
    ...controllerManagerSection,
    ...schedulerSection,
    ...nodesSection,
    ...consoleSection,
    ...topSection,
    ...resolveSection,
    ...simulateSection,
    ...historySection(),
    ...storeSection(),
    ...typesSection,
    ...envtestSection,
    ...testServersSection,
    ...exitCodeSection,
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

const introduction = [
  '<!-- Made by `npm run generate` from packages/binnacle/src/cli/arguments/serve-options.ts. -->',
  '# The command line',
  '',
  'Run `binnacle serve OPTIONS`, or `npm start -- OPTIONS` in a clone. Separate an option and its value by a space or by `=`.',
  '`binnacle help` lists the commands, `binnacle version` prints the versions, as an object with `-o json`. [Running a server](running.md) explains the choices.',
  '',
  '`source <(binnacle completion bash)` completes commands and options; zsh and fish have scripts too. An installed package brings `man binnacle`.',
  '',
  'In a clone, `npm ci && npm run build` makes the command: `npx binnacle`. For scripts and signals, start `node_modules/.bin/binnacle`.',
  '',
];

function serveSection(): string[] {
  return [
    '## binnacle serve',
    '',
    '| option | default | meaning |',
    '| --- | --- | --- |',
    ...serveOptions.map(
      (option) =>
        `| \`${cell(optionUsage(option))}\` | ${option.default === undefined ? '' : `\`${cell(option.default)}\``} | ${cell(option.description)} |`,
    ),
    `| \`--${serveConsoleOption.name}\` | \`${serveConsoleOption.default}\` | ${serveConsoleOption.description}; see [the console](console.md) |`,
    '',
  ];
}

const doctorSection = [
  '## binnacle doctor',
  '',
  `\`binnacle doctor OPTIONS\`: ${doctorDescription}.`,
  'It changes nothing and starts no server. It ends with 1 if there is a problem. [Running it in production](production.md) shows its output.',
  '',
];

const controllerManagerSection = [
  '## binnacle controller-manager',
  '',
  `\`binnacle controller-manager OPTIONS\`: ${controllerManagerDescription}.`,
  'Use it with a server that runs none, such as `binnacle serve --controllers=`.',
  '',
  '| option | meaning |',
  '| --- | --- |',
  `| \`--kubeconfig FILE\` | ${kubeconfigDescription} |`,
  `| \`--controllers LIST\` | ${controllersDescription} |`,
  `| \`--healthz-bind-address IP:PORT\` | ${healthAddressDescription} |`,
  `| \`--leader-elect\` | ${leaderElectDescription} |`,
  `| \`--use-service-account-credentials\` | ${accountCredentialsDescription} |`,
  `| \`--root-ca-file FILE\` | ${rootCaFileDescription} |`,
  `| \`--load-balancer-ip-range CIDR\` | ${loadBalancerIPRangeDescription} |`,
  `| \`--service-account-private-key-file FILE\` | ${serviceAccountKeyDescription} |`,
  ...loopOptions.map((option) => {
    const suffix = 'default' in option ? ` (default: ${option.default})` : '';
    return `| \`${cell(optionUsage(option))}\` | ${cell(option.description)}${suffix} |`;
  }),
  '',
];

const schedulerSection = [
  '## binnacle scheduler',
  '',
  `\`binnacle scheduler OPTIONS\`: ${schedulerDescription}.`,
  'Use it with a server that runs none. [Running a server](running.md#scheduler) says which pods it leaves pending.',
  '',
  '| option | meaning |',
  '| --- | --- |',
  `| \`--kubeconfig FILE\` | ${schedulerKubeconfigDescription} |`,
  `| \`--config FILE\` | ${schedulerConfigDescription} |`,
  `| \`--leader-elect\` | ${schedulerLeaderElectDescription} |`,
  '',
];

const consoleSection = [
  '## binnacle console',
  '',
  `\`binnacle console OPTIONS\`: ${consoleDescription}. [Console](console.md) shows what it is for.`,
  '',
  '| option | meaning |',
  '| --- | --- |',
  ...consoleOptions.map(({ flags, description }) => `| \`${flags.replace(/[<>]/g, '')}\` | ${description} |`),
  '',
];

const topSection = [
  '## binnacle top',
  '',
  `\`binnacle top OPTIONS\`: ${topDescription}.`,
  '',
  '| option | meaning |',
  '| --- | --- |',
  ...topOptions.map(({ flags, description }) => `| \`${flags.replace(/[<>]/g, '')}\` | ${description} |`),
  '',
];

const resolveSection = [
  '## binnacle resolve',
  '',
  `\`binnacle resolve TARGET OPTIONS\`: ${resolveDescription}. TARGET is ${resolveTargetDescription}. The exit code is 1 if no endpoint is ready.`,
  '',
  '| option | meaning |',
  '| --- | --- |',
  `| \`-n\`, \`--namespace NAMESPACE\` | ${resolveNamespaceDescription} |`,
  `| \`--kubeconfig FILE\` | ${resolveKubeconfigDescription} |`,
  `| \`-o\`, \`--output FORMAT\` | ${resolveOutputDescription} |`,
  '',
];

const simulateSection = [
  '## binnacle simulate',
  '',
  `\`binnacle simulate FILE OPTIONS\`: ${simulateDescription}.`,
  '[Simulate a failure](simulation.md) has the format of the file.',
  '',
  '| option | meaning |',
  '| --- | --- |',
  `| \`--seed NUMBER\` | ${simulateSeedDescription} |`,
  `| \`--seeds NUMBER\` | ${simulateSeedsDescription} |`,
  `| \`--nodes NUMBER\` | ${simulateNodesDescription} |`,
  `| \`--until NUMBER\` | ${simulateUntilDescription} |`,
  `| \`--history FILE\` | ${simulateHistoryDescription} |`,
  '',
];

const nodesSection = [
  '## binnacle nodes',
  '',
  `\`binnacle nodes OPTIONS\`: ${nodesDescription}.`,
  '[Running a server](running.md#simulated-nodes) says how their pods behave.',
  '',
  '| option | meaning |',
  '| --- | --- |',
  `| \`--count NUMBER\` | ${nodesCountDescription} |`,
  `| \`--kubeconfig FILE\` | ${nodesKubeconfigDescription} |`,
  `| \`--kubelet-address ADDRESS\` | ${nodesKubeletAddressDescription} |`,
  `| \`--metrics [BOOLEAN]\` | ${nodesMetricsDescription} |`,
  '',
];

function historySection(): string[] {
  const plain = (text: string): string => text.replaceAll(/[<>]/g, '');
  return [
    `## binnacle ${historyCommands.map(({ name }) => name).join(', ')}`,
    '',
    'They read the history of a running server, and need the rights to read the objects. `snapshot`, `fork` and `bisect` need those of an administrator.',
    '[Look back](history.md) shows their use. With the name `kubectl-binnacle` on the `PATH` the command is a plugin: `kubectl binnacle log deploy/web`.',
    '',
    '| command | meaning |',
    '| --- | --- |',
    ...historyCommands.map(
      ({ name, usage, description }) => `| \`${plain(`${name} ${usage}`)}\` | ${cell(description)} |`,
    ),
    '',
    '| option | of | meaning |',
    '| --- | --- | --- |',
    ...historyCommands.flatMap(({ name, options }) =>
      options.map(({ flags, description }) => `| \`${plain(flags)}\` | \`${name}\` | ${cell(description)} |`),
    ),
    ...scopeOptions.map(({ flags, description }) => `| \`${plain(flags)}\` | all | ${cell(description)} |`),
    '',
  ];
}

function storeSection(): string[] {
  return [
    '## binnacle store',
    '',
    '`binnacle store COMMAND --data-dir DIR`. [Running a server](running.md#back-up-and-restore) shows how to use these commands.',
    '',
    '| command | while a server runs | meaning |',
    '| --- | --- | --- |',
    ...storeCommands.map(
      ({ action, takes, running, description }) =>
        `| \`store ${[action, ...takes].join(' ')}\` | ${running} | ${cell(description)} |`,
    ),
    '',
    '| option | meaning |',
    '| --- | --- |',
    `| \`--data-dir DIR\` | the data directory of the server (default: \`${dataDirectoryDefault}\`) |`,
    `| \`--keep DURATION\` | of \`compact\`: ${keepDescription} |`,
    `| \`--bump-revision NUMBER\` | of \`restore\`: ${bumpRevisionDescription} |`,
    '',
  ];
}

const typesSection = [
  '## binnacle types',
  '',
  `\`binnacle types FILE... > types.ts\`: ${typesDescription}. A file is YAML or JSON and may hold`,
  'other objects too; `-` is standard input. For each served version the output has an interface of its objects, and a value of the',
  'same name that tells `@binnacle/client` where they are served.',
  '',
  '| option | meaning |',
  '| --- | --- |',
  `| \`--from-server\` | ${fromServerDescription} |`,
  `| \`--context NAME\` | ${contextDescription} |`,
  `| \`--verify FILE\` | ${verifyDescription} |`,
  '',
];

const envtestSection = [
  '## binnacle envtest',
  '',
  `\`binnacle envtest assets DIR\`: ${assetsDescription}. The default of DIR is \`${assetsDirectoryDefault}\`.`,
  '[Testing with Binnacle](testing.md#go) shows how to use it.',
  '',
];

const testServersSection = [
  '## binnacle test-servers',
  '',
  `\`binnacle test-servers\`: ${testServersDescription}.`,
  'The test kits start it. [Its requests](../packages/binnacle/src/testservers/README.md) are for a kit in another language.',
  '',
];

const exitCodeSection = [
  '## Exit codes',
  '',
  '| code | meaning |',
  '| --- | --- |',
  '| 0 | success; for a server: SIGTERM or SIGINT ended it, after it answered the requests in flight |',
  '| 1 | failure, for example a port in use or stale types: one line on standard error says why and how to fix it |',
  '| 2 | the command line is wrong |',
  '| 130, 143 | interrupted: `store` by the first SIGINT or SIGTERM, a server by a second one more than a second after the first |',
  '',
];
