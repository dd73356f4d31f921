import { managers } from '../components/cluster.mjs';

/** Lines of a table: the specs, and their state with the controllers of each make. `outcomes`: state by name, by make. */
export function columnsOf(outcomes) {
  const makes = [...outcomes.keys()];
  const names = [...new Set([...outcomes.values()].flatMap((states) => [...states.keys()]))].sort();
  const row = (first, cells) => `| ${[first, ...cells].join(' | ')} |`;
  return [
    row(
      'spec',
      makes.map((make) => managers[make]),
    ),
    row(
      '---',
      makes.map(() => '---'),
    ),
    ...names.map((name) =>
      row(
        name,
        makes.map((make) => outcomes.get(make).get(name) ?? 'not run'),
      ),
    ),
  ];
}
