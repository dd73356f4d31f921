import { optionUsage, serveOptions } from './serve-options.js';

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
    '## Exit codes',
    '',
    '| code | meaning |',
    '| --- | --- |',
    '| 0 | ended by SIGTERM or SIGINT, after requests in flight were answered |',
    '| 1 | could not start: one line on standard error says why and what to do |',
    '| 2 | the command line is wrong |',
    '| 130, 143 | a second SIGINT or SIGTERM, more than a second after the first, ended it at once |',
    '',
  ].join('\n');
}
