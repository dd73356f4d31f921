/** The figures of all servers as a table of Markdown. */

/**
 * `lines`: `{ figure, server, value, unit }`, with or without a unit. The first server is the one that others are compared with: each shows its value
 * and, with `ratios`, a ratio.
 */
export function tableOf(lines, { ratios = true } = {}) {
  const servers = [...new Set(lines.map(({ server }) => server))];
  const figures = [...new Set(lines.map(({ figure }) => figure))];
  const valueOf = (figure, server) => lines.find((line) => line.figure === figure && line.server === server);
  const cell = (figure, server) => {
    const { value } = valueOf(figure, server);
    if (server === servers[0] || !ratios) return shown(value);
    return `${shown(value)} (${shown(value / valueOf(figure, servers[0]).value)})`;
  };
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [
    row(['', ...servers]),
    row(['---', ...servers.map(() => '---:')]),
    ...figures.map((figure) =>
      row([titleOf(valueOf(figure, servers[0])), ...servers.map((server) => cell(figure, server))]),
    ),
  ].join('\n');
}

const titleOf = ({ figure, unit }) => (unit === undefined ? figure : `${figure}, ${unit}`);

/** Three digits say all that a noisy machine can. */
const shown = (value) => `${Number(value.toPrecision(3))}`;
