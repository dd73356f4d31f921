import { type LoopFacts, loops } from './loops.js';

/** A list of controllers that cannot be followed. */
export class ControllersError extends Error {
  override readonly name = 'ControllersError';
}

/**
 * The loops that a list asks for: names and aliases, `-name` for none of it, `*` for all that run by default, separated by commas. An empty
 * list is none at all. Throws {@link ControllersError} for names that do not exist. Upstream: controller-manager `app.IsControllerEnabled`.
 */
export function chooseLoops(list: string, known: readonly LoopFacts[] = loops): LoopFacts[] {
  const entries = list.split(',').flatMap((entry) => entry.trim() || []);
  for (const entry of entries) {
    const name = entry.replace(/^-/, '');
    if (entry === '*' || known.some((loop) => goesBy(loop, name))) continue;
    throw new ControllersError(
      `--controllers: there is no controller ${JSON.stringify(name)}; there are ${known.map((loop) => loop.name).join(', ')}`,
    );
  }
  return known.filter((loop) => {
    const chosen = entries.find((entry) => goesBy(loop, entry.replace(/^-/, '')));
    return chosen === undefined ? loop.enabledByDefault && entries.includes('*') : !chosen.startsWith('-');
  });
}

function goesBy({ name, aliases }: LoopFacts, text: string): boolean {
  return name === text || aliases.includes(text);
}
