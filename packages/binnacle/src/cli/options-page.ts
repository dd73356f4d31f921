import {
  controllerManagerDescription,
  controllersDescription,
  kubeconfigDescription,
  leaderElectDescription,
  rootCaFileDescription,
} from './controller-manager-request.js';
import { optionUsage, serveOptions } from './serve-options.js';
import { storeCommands } from './store-request.js';
import { contextDescription, fromServerDescription, typesDescription, verifyDescription } from './types-request.js';

/** docs/command-line.md. */
export function renderOptionsPage(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  return [
    '<!-- Made by `npm run generate` from packages/binnacle/src/cli/serve-options.ts. -->',
    '# The command line',
    '',
    '`npm start -- OPTIONS` in a checkout, `binnacle serve OPTIONS` where it is installed. An option and its value are',
    'separated by a space or by `=`. `binnacle version` tells the versions, `binnacle help` lists the commands.',
    '',
    '| option | default | meaning |',
    '| --- | --- | --- |',
    ...serveOptions.map(
      (option) =>
        `| \`${cell(optionUsage(option))}\` | ${option.default === undefined ? '' : `\`${cell(option.default)}\``} | ${cell(option.description)} |`,
    ),
    '',
    '## Control loops alone',
    '',
    `\`binnacle controller-manager OPTIONS\`: ${controllerManagerDescription}. For servers that run`,
    'none themselves: `binnacle serve --controllers=`, or any other.',
    '',
    '| option | meaning |',
    '| --- | --- |',
    `| \`--kubeconfig FILE\` | ${kubeconfigDescription} |`,
    `| \`--controllers LIST\` | ${controllersDescription} |`,
    `| \`--leader-elect\` | ${leaderElectDescription} |`,
    `| \`--root-ca-file FILE\` | ${rootCaFileDescription} |`,
    '',
    '## Looking after the store',
    '',
    '`binnacle store COMMAND --data-dir DIR`. Commands that may run beside a server read one state of the store, and the',
    "server's file grows while they do. A backup holds every Secret and is readable to its owner alone. A restored store goes",
    'on at the revision of its backup, or higher by `--bump-revision`: clients that knew the lost store may hold revisions',
    'that would be given a second time, and are then told to read anew. Certificates and the kubeconfig are not part of a',
    'backup and are made anew.',
    '',
    '| command | beside a running server | meaning |',
    '| --- | --- | --- |',
    ...storeCommands.map(
      ({ action, takesFile, running, description }) =>
        `| \`store ${action}${takesFile ? ' FILE' : ''}\` | ${running} | ${cell(description)} |`,
    ),
    '',
    '## Types for TypeScript',
    '',
    `\`binnacle types FILE... > types.ts\`: ${typesDescription}. A file is YAML or JSON, may hold other`,
    'objects too, and is standard input where it is `-`. The',
    'types are for `@binnacle/client`: for each version that is served an interface of its objects, and a value of the',
    'same name that says where they are served.',
    '',
    '| option | meaning |',
    '| --- | --- |',
    `| \`--from-server\` | ${fromServerDescription} |`,
    `| \`--context NAME\` | ${contextDescription} |`,
    `| \`--verify FILE\` | ${verifyDescription} |`,
    '',
    '## Exit codes',
    '',
    '| code | meaning |',
    '| --- | --- |',
    '| 0 | done; a server: ended by SIGTERM or SIGINT, after requests in flight were answered |',
    '| 1 | could not be done, a server could not start, types are stale: one line on standard error says why and what to do |',
    '| 2 | the command line is wrong |',
    '| 130, 143 | a server: a second SIGINT or SIGTERM, more than a second after the first, ended it at once; `store`: the first one did |',
    '',
  ].join('\n');
}
