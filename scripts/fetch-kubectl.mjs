/**
 * Unpacks Debian 12's kubernetes-client, the oldest supported kubectl, into .cache/kubectl-debian. It is not installed,
 * because its path collides with other packages. Prints the path of the binary.
 */
import { spawnSync } from 'node:child_process';
import { giveUp, unpackDebian } from './unpack-debian.mjs';

const kubectl = {
  packageName: 'kubernetes-client',
  folder: 'kubectl-debian',
  binary: 'usr/bin/kubectl',
  wantedVersion: 'v1.20.',
  versionOf: (binary) => {
    const { stdout } = spawnSync(binary, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
    return JSON.parse(stdout || '{}').clientVersion?.gitVersion;
  },
};

console.log(await unpackDebian(kubectl).catch(giveUp('fetch-kubectl')));
