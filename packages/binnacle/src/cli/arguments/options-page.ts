import type { CommandNode } from './command-tree.js';
import { assetsDirectoryDefault } from './envtest-request.js';
import { historyCommands } from './history-request.js';
import { optionUsage } from './serve-option.js';
import { serveOptions } from './serve-options.js';
import { serveConsoleOption } from './serve-request.js';
import { storeCommands } from './store-request.js';

/** What a section says besides the description of its command. */
const notes: Readonly<Record<string, readonly string[]>> = {
  doctor: [
    'It changes nothing and starts no server. It ends with 1 if there is a problem. [Running it in production](production.md) shows its output.',
  ],
  'controller-manager': ['Use it with a server that runs none, such as `binnacle serve --controllers=`.'],
  scheduler: [
    'Use it with a server that runs none. [Running a server](running.md#scheduler) explains profiles, plugins and extenders.',
  ],
  nodes: ['[Running a server](running.md#simulated-nodes) says how their pods behave.'],
  console: ['[Console](console.md) shows what it is for.'],
  resolve: ['The exit code is 1 if no endpoint is ready.'],
  simulate: ['[Simulate a failure](simulation.md) has the format of the file.'],
  import: ['[Move a cluster](move-a-cluster.md) shows what is moved, and in which order.'],
  types: [
    'A file is YAML or JSON and may hold other objects too; `-` is standard input. For each served version the output has an interface of its',
    'objects, and a value of the same name that tells `@binnacle/client` where they are served.',
  ],
  'test-servers': [
    'The test kits start it. [Its requests](../packages/binnacle/src/testservers/README.md) are for a kit in another language.',
  ],
};

/** Renders docs/command-line.md. `root`: the command `binnacle`. */
export function renderOptionsPage(root: CommandNode): string {
  const commandSection = (name: string): readonly string[] => sectionOf(child(root, name));
  return [
    ...introduction,
    ...serveSection,
    ...paragraphs(child(root, 'doctor')),
    ...['controller-manager', 'scheduler', 'nodes', 'console', 'top', 'resolve', 'simulate'].flatMap(commandSection),
    ...clusterSection(child(root, 'cluster')),
    ...historySection(root),
    ...commandSection('import'),
    ...storeSection(child(root, 'store')),
    ...commandSection('types'),
    ...envtestSection(child(root, 'envtest')),
    ...paragraphs(child(root, 'test-servers')),
    ...exitCodeSection,
  ].join('\n');
}

function child({ commands }: CommandNode, name: string): CommandNode {
  const found = commands.find((each) => each.name === name);
  if (found === undefined) throw new RangeError(`there is no command ${name}`);
  return found;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

function paragraphs({ name, parameters, description, options }: CommandNode): readonly string[] {
  const usage = ['binnacle', name, ...parameters, ...(options.length === 0 ? [] : ['OPTIONS'])].join(' ');
  return [`## binnacle ${name}`, '', `\`${usage}\`: ${description}.`, ...(notes[name] ?? []), ''];
}

function sectionOf(node: CommandNode): readonly string[] {
  return [...paragraphs(node), '| option | meaning |', '| --- | --- |', ...optionRows(node.options), ''];
}

/** `of`: the command of each option, where several share a table. */
const optionRows = (options: CommandNode['options'], of?: string): readonly string[] =>
  options.map(({ long, short, value, description }) => {
    const usage = [[short, long].filter((name) => name !== undefined).join(', '), value ?? []].flat().join(' ');
    return row(`\`${usage}\``, ...(of === undefined ? [] : [of]), description);
  });

const introduction = [
  '<!-- Made by `npm run generate` from packages/binnacle/src/cli/arguments. -->',
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

const serveSection = [
  '## binnacle serve',
  '',
  '| option | default | meaning |',
  '| --- | --- | --- |',
  ...serveOptions.map((option) =>
    row(`\`${optionUsage(option)}\``, option.default === undefined ? '' : `\`${option.default}\``, option.description),
  ),
  row(
    `\`--${serveConsoleOption.name}\``,
    `\`${serveConsoleOption.default}\``,
    `${serveConsoleOption.description}; see [the console](console.md)`,
  ),
  '',
];

function historySection(root: CommandNode): readonly string[] {
  const nodes = historyCommands.map(({ name }) => child(root, name));
  const { options: shared } = child(root, 'blame');
  const isShared = ({ long, description }: CommandNode['options'][number]) =>
    shared.some((each) => each.long === long && each.description === description);
  const hasAll = ({ long }: CommandNode['options'][number]) =>
    nodes.every(({ options }) => options.filter(isShared).some((option) => option.long === long));
  return [
    `## binnacle ${nodes.map(({ name }) => name).join(', ')}`,
    '',
    'They read the history of a running server, and need the rights to read the objects. `snapshot`, `fork` and `bisect` need those of an administrator.',
    '[Look back](history.md) shows their use. With the name `kubectl-binnacle` on the `PATH` the command is a plugin: `kubectl binnacle log deploy/web`.',
    '',
    '| command | meaning |',
    '| --- | --- |',
    ...nodes.map(({ name, parameters, description }) => row(`\`${[name, ...parameters].join(' ')}\``, description)),
    '',
    '| option | of | meaning |',
    '| --- | --- | --- |',
    ...nodes.flatMap(({ name, options }) =>
      optionRows(
        options.filter((option) => !isShared(option)),
        `\`${name}\``,
      ),
    ),
    ...shared.flatMap((option) => optionRows([option], hasAll(option) ? 'all' : 'all others')),
    '',
  ];
}

function clusterSection({ commands }: CommandNode): readonly string[] {
  return [
    '## binnacle cluster',
    '',
    '[A cluster on your laptop](laptop.md#clusters-with-names) shows how to use these commands.',
    '',
    '| command | meaning |',
    '| --- | --- |',
    ...commands.map(({ name, parameters, description }) =>
      row(`\`cluster ${[name, ...parameters].join(' ')}\``, description),
    ),
    '',
    '| option | of | meaning |',
    '| --- | --- | --- |',
    ...commands.flatMap(({ name, options }) => optionRows(options, `\`${name}\``)),
    '',
  ];
}

function storeSection(store: CommandNode): readonly string[] {
  const isOfAll = ({ long }: CommandNode['options'][number]) => long === '--data-dir';
  const [first] = store.commands;
  return [
    '## binnacle store',
    '',
    '`binnacle store COMMAND --data-dir DIR`. [Running a server](running.md#back-up-and-restore) shows how to use these commands.',
    '',
    '| command | while a server runs | meaning |',
    '| --- | --- | --- |',
    ...storeCommands.map(({ action, running }) => {
      const { parameters, description } = child(store, action);
      return row(`\`store ${[action, ...parameters].join(' ')}\``, running, description);
    }),
    '',
    '| option | of | meaning |',
    '| --- | --- | --- |',
    ...optionRows(first?.options.filter(isOfAll) ?? [], 'all'),
    ...store.commands.flatMap(({ name, options }) =>
      optionRows(
        options.filter((option) => !isOfAll(option)),
        `\`${name}\``,
      ),
    ),
    '',
  ];
}

function envtestSection(envtest: CommandNode): readonly string[] {
  return [
    '## binnacle envtest',
    '',
    `\`binnacle envtest assets DIR\`: ${child(envtest, 'assets').description}. The default of DIR is \`${assetsDirectoryDefault}\`.`,
    '[Testing operators](testing.md#go) shows how to use it.',
    '',
  ];
}

const exitCodeSection = [
  '## Exit codes',
  '',
  '| code | meaning |',
  '| --- | --- |',
  '| 0 | success; for a server: SIGTERM or SIGINT ended it, after it answered the requests in flight |',
  '| 1 | failure, for example a port in use or stale types: one line on standard error says why and how to fix it |',
  '| 2 | the command line is wrong |',
  '| 130, 143 | interrupted: `store` by the first SIGINT or SIGTERM, a server by a second one more than a second after the first |',
  '| 137 | a server ended itself with SIGKILL, because something that hung, such as its disk, outlasted the time for a stop |',
  '',
];
