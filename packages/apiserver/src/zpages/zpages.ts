import { type Clock, pick, type Random } from '@binnacle/apimachinery/clock';
import { type JsonObject, sortedKeys } from '@binnacle/apimachinery/json';
import { formatTime } from '@binnacle/apimachinery/time';
import type { Handler } from '../request/index.js';
import { debuggingPaths, statuszText } from './statusz.js';
import { zpage } from './zpage.js';

export interface ZPagesOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** When the server began, in wall time. */
  readonly startedAt: number;
  readonly goVersion: string;
  /** The release, such as `1.36.2`. */
  readonly version: string;
  /** The paths of the server. */
  readonly paths: readonly string[];
  /** Whether there is `/statusz`. */
  readonly statusz: boolean;
  /** The flags of the program and their values. Undefined: there is no `/flagz`. */
  readonly flags: Readonly<Record<string, string>> | undefined;
}

export interface ZPages {
  handlerFor(path: string): Handler | undefined;
  readonly paths: readonly string[];
}

/** Upstream changes the delimiter, so that no program parses the text. */
const DELIMITERS = [':', ': ', '=', ' '] as const;

export function createZPages(options: ZPagesOptions): ZPages {
  const { random, flags } = options;
  const delimiter = (): string => pick(random, DELIMITERS) ?? ':';
  const handlers = new Map<string, Handler>();
  if (flags !== undefined) {
    const lines = (between: string) => sortedKeys(flags).map((name) => `${name}${between}${flags[name] ?? ''}\n`);
    handlers.set(
      '/flagz',
      zpage({ kind: 'Flagz', fields: () => ({ flags }), text: () => lines(delimiter()).join('') }),
    );
  }
  if (options.statusz) {
    const others = [...options.paths, ...handlers.keys()];
    const fields = (): StatuszFields => statuszOf(options, others);
    handlers.set('/statusz', zpage({ kind: 'Statusz', fields, text: () => statuszText(fields(), delimiter()) }));
  }
  return { handlerFor: (path) => handlers.get(path), paths: [...handlers.keys()] };
}

type StatuszFields = JsonObject & Parameters<typeof statuszText>[0];

function statuszOf({ clock, startedAt, goVersion, version }: ZPagesOptions, paths: readonly string[]): StatuszFields {
  return {
    startTime: formatTime(startedAt),
    uptimeSeconds: Math.max(0, Math.floor((clock.now() - startedAt) / 1000)),
    goVersion,
    binaryVersion: version,
    emulationVersion: version.split('.').slice(0, 2).join('.'),
    paths: debuggingPaths(paths),
  };
}
