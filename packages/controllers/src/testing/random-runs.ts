const factor = process.env['BINNACLE_SIMULATIONS'];

/**
 * The options of a property test that simulates control loops, seconds a run: this many runs, the same each time. With
 * BINNACLE_SIMULATIONS, that many times as many, each time others.
 */
export function randomRuns(numRuns: number): { readonly numRuns: number; readonly seed?: number } {
  return factor === undefined ? { numRuns, seed: 1 } : { numRuns: numRuns * Number(factor) };
}
