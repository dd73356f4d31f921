import { posix } from 'node:path';
import type { Container } from '@binnacle/client/kinds/core/v1';

/** Where the token of a service account is mounted. Upstream: serviceaccount admission `DefaultAPITokenMountPath`. */
export const TOKEN_MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Characters that may surround a path in an argument or a variable. */
const BEFORE = `(?<=^|[\\s=:,;"'(])`;
const AFTER = `(?=$|[\\s/:,;"')])`;

/**
 * Replaces mount paths in a text with the paths of the volumes on this machine, because a process has no file system of its own.
 * `root`: the folder that serves as the root of the container.
 */
export function localPaths({ volumeMounts = [] }: Container, root: string): (text: string) => string {
  const paths = volumeMounts
    .map(({ mountPath }) => posix.normalize(mountPath).replace(/\/$/, ''))
    .filter((path) => path.startsWith('/'))
    .toSorted((one, other) => other.length - one.length);
  if (paths.length === 0) return (text) => text;
  const pattern = new RegExp(`${BEFORE}(?:${paths.map(escaped).join('|')})${AFTER}`, 'g');
  return (text) => text.replaceAll(pattern, (path) => `${root}${path}`);
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A path below a folder. Segments such as `..` do not leave it. */
export const below = (folder: string, path: string): string => posix.join(folder, posix.join('/', path));
