import type { StartOptions } from '../../embed/index.js';
import type { TestServerOptions } from '../../testing/index.js';
import { parseCommandLine } from './command-line.js';
import { serveOptions } from './serve-options.js';

/** The options that flags set. */
type Settable = Extract<keyof TestServerOptions, keyof StartOptions>;

const settable: Readonly<Record<Settable, true>> = {
  allowProcesses: true,
  controllers: true,
  disableAdmissionPlugins: true,
  enableAdmissionPlugins: true,
  eventTtlMs: true,
  featureGates: true,
  historyRetentionMs: true,
  imageCommands: true,
  minRequestTimeoutSeconds: true,
  nodes: true,
  processNodes: true,
  runtimeConfig: true,
  scheduler: true,
  tokenAuthFile: true,
  verbosity: true,
  watchCache: true,
};

/** Reads flags of `binnacle serve` for a test server. Throws an Error that names a flag that is wrong or does not apply. */
export function readTestServerFlags(flags: readonly string[]): TestServerOptions {
  const parsed = parseCommandLine(['serve', ...flags]);
  if (parsed.command !== 'serve') {
    const text = parsed.command === 'wrong' ? parsed.text : `${flags.join(' ')} has no flags of a server`;
    throw new Error(text.trimEnd().replace(/^binnacle: /, ''));
  }
  if (parsed.console === true) throw inapplicable('console');
  const { options } = parsed;
  const isSecurePort = (flag: string): boolean => flag === '--secure-port' || flag.startsWith('--secure-port=');
  const refused = serveOptions.find(({ key }) => {
    // Only the port has a default on the command line.
    if (key === 'securePort') return flags.some(isSecurePort);
    // A test server always has fault injection.
    if (key === 'faultInjection') return options.faultInjection === false;
    return options[key] !== undefined && !Object.hasOwn(settable, key);
  });
  if (refused !== undefined) throw inapplicable(refused.name);
  return Object.fromEntries(Object.entries(options).filter(([key]) => Object.hasOwn(settable, key)));
}

function inapplicable(flag: string): Error {
  return new Error(`--${flag} does not apply to a test server`);
}
