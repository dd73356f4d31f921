import { setups } from './setups.mjs';

/** Lines of a table: the specs, and their state in each column of {@link setups}. `outcomes`: state by name, by column. */
export function columnsOf(outcomes) {
  const columns = [...outcomes.keys()];
  const names = [...new Set([...outcomes.values()].flatMap((states) => [...states.keys()]))].sort();
  const row = (first, cells) => `| ${[first, ...cells].join(' | ')} |`;
  return [
    row(
      'spec',
      columns.map((column) => setups[column].title),
    ),
    row(
      '---',
      columns.map(() => '---'),
    ),
    ...names.map((name) =>
      row(
        name,
        columns.map((column) => outcomes.get(column).get(name) ?? 'not run'),
      ),
    ),
  ];
}
