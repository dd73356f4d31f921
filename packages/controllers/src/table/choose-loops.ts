import { type LoopFacts, loops } from './loops.js';

/** The list names an unknown controller. */
export class ControllersError extends Error {
  override readonly name = 'ControllersError';
}

/**
 * The loops that a comma-separated list enables: `name` or an alias enables a loop, `-name` disables it, `*` enables all that are on by
 * default. An empty list enables none. Throws a {@link ControllersError} for unknown names. Upstream: controller-manager
 * `app.IsControllerEnabled`.
 */
export function chooseLoops(list: string, known: readonly LoopFacts[] = loops): LoopFacts[] {
  const entries = list.split(',').flatMap((entry) => entry.trim() || []);
  for (const entry of entries) {
    const name = entry.replace(/^-/, '');
    if (entry === '*' || known.some((loop) => isNamed(loop, name))) continue;
    throw new ControllersError(
      `--controllers: ${JSON.stringify(name)} is not in the list of known controllers: ${known.map((loop) => loop.name).join(', ')}`,
    );
  }
  return known.filter((loop) => {
    const chosen = entries.find((entry) => isNamed(loop, entry.replace(/^-/, '')));
    return chosen === undefined ? loop.enabledByDefault && entries.includes('*') : !chosen.startsWith('-');
  });
}

function isNamed({ name, aliases }: LoopFacts, text: string): boolean {
  return name === text || aliases.includes(text);
}
