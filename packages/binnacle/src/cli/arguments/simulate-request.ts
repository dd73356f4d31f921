import type { Command } from 'commander';
import { MOST_NODES } from '@binnacle/nodes/node/limits';
import { invalid, notEmpty, parseNumber, textOption, valueOption } from './option-values.js';

/** The arguments of `binnacle simulate`. */
export interface SimulateRequest {
  readonly file: string;
  /** The first seed. */
  readonly seed: number;
  /** How many seeds, one after the other. */
  readonly seeds: number;
  /** Default: the number in the scenario. */
  readonly nodes?: number;
  /** Ends the run before this event. */
  readonly until?: number;
  /** Where the history is written. */
  readonly history?: string;
}

export function defineSimulate(program: Command, found: (request: SimulateRequest) => void): void {
  const number = (name: string, description: string) => valueOption(`--${name} <NUMBER>`, description, parseNumber);
  program
    .command('simulate')
    .argument('<FILE>', 'the scenario', notEmpty('FILE'))
    .description(
      'run the scenario of a YAML file against a whole cluster in this process, on a virtual clock and a seed',
    )
    .addOption(
      number(
        'seed',
        'decides faults, the order of requests and all random values; the same seed gives the same run (default: 1)',
      ),
    )
    .addOption(number('seeds', 'run this many seeds, starting with --seed (default: 1)'))
    .addOption(
      number('nodes', `the number of simulated nodes, up to ${MOST_NODES} (default: as the scenario says, or 3)`),
    )
    .addOption(
      number(
        'until',
        'end the run before this event, and print the last events and all objects except Events and leases; for a single seed',
      ),
    )
    .addOption(
      textOption(
        '--history <FILE>',
        'write all events to this file, one line of JSON each; the same seed writes the same bytes; for a single seed',
      ),
    )
    .action((file: string, given: Partial<SimulateRequest>) => found(checked({ file, seed: 1, seeds: 1, ...given })));
}

function checked(request: SimulateRequest): SimulateRequest {
  const { seeds, nodes = 0, until, history } = request;
  if (seeds < 1) throw invalid('--seeds must be 1 or more');
  if (nodes > MOST_NODES) throw invalid(`--nodes must be at most ${MOST_NODES}`);
  if (seeds > 1 && (until !== undefined || history !== undefined)) {
    throw invalid('--until and --history need a single seed');
  }
  if (until === 0) throw invalid('--until must be 1 or more');
  return request;
}
