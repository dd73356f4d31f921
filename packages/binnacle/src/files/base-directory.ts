import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The variable of each base directory, and where the directory is without it. */
const bases = {
  data: ['XDG_DATA_HOME', join('.local', 'share')],
  cache: ['XDG_CACHE_HOME', '.cache'],
} as const;

/**
 * The user's folder for data, such as `~/.local/share`, or for a cache. It never depends on the working directory: the XDG
 * base directory specification requires absolute paths, so a relative one is ignored.
 */
export function baseDirectory(kind: keyof typeof bases, environment: NodeJS.ProcessEnv): string {
  const [variable, usual] = bases[kind];
  const given = environment[variable];
  return given !== undefined && isAbsolute(given) ? given : join(homedir(), usual);
}
