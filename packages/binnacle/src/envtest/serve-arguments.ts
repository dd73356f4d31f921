import { join } from 'node:path';
import { takeFlag } from './flags.js';

/** What the arguments for `binnacle serve` depend on besides the command line. */
export interface Surroundings {
  /** The data directory of the included etcd; undefined: the store is another etcd. */
  readonly dataDirectory: string | undefined;
  readonly exists: (path: string) => boolean;
}

/** The URL of the store: the first of `--etcd-servers`. */
export function storeUrl(args: readonly string[]): string | undefined {
  return takeFlag(args, 'etcd-servers').value?.split(',')[0];
}

/**
 * Translates a command line of kube-apiserver to one of `binnacle serve`. Flags that both have stay as they are.
 * Upstream: kube-apiserver serves with `apiserver.crt` and `apiserver.key` of `--cert-dir` when they exist.
 */
export function serveArguments(args: readonly string[], { dataDirectory, exists }: Surroundings): readonly string[] {
  const certificates = takeFlag(args, 'cert-dir');
  const store = takeFlag(certificates.rest, 'etcd-servers');
  const given = dataDirectory === undefined ? certificates.rest : store.rest;
  const has = (name: string): boolean => given.some((each) => each === `--${name}` || each.startsWith(`--${name}=`));
  const result = ['serve', ...given];
  if (dataDirectory !== undefined) result.push(`--data-dir=${join(dataDirectory, 'binnacle')}`);
  if (certificates.value !== undefined && !has('tls-cert-file')) {
    const file = (ending: string): string => join(certificates.value ?? '', `apiserver.${ending}`);
    if (exists(file('crt')) && exists(file('key'))) {
      result.push(`--tls-cert-file=${file('crt')}`, `--tls-private-key-file=${file('key')}`);
    }
  }
  if (!has('controllers')) result.push('--controllers=');
  if (!has('scheduler')) result.push('--scheduler=false');
  return result;
}
