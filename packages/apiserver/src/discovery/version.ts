import { kubernetesVersion } from '@binnacle/api/table';
import type { JsonObject } from '@binnacle/apimachinery/json';

/** The patch release that our tests compare with, of the Kubernetes minor version of the table. */
const PATCH = 2;

const platforms: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
  ['arm64', 'arm64'],
  ['arm', 'arm'],
]);

/** The Kubernetes release, such as `1.36.2`. */
export function releaseVersion(): string {
  return `${kubernetesVersion()}.${PATCH}`;
}

/**
 * The document of `/version`. Clients parse `major`, `minor` and `gitVersion` as the Kubernetes version, for example
 * kubectl's skew check and Helm's `kubeVersion`. They therefore name the Kubernetes release; `build` identifies this
 * server in the build part.
 */
export function versionInfo(build: string): JsonObject {
  const [major = '1', minor = '0'] = kubernetesVersion().split('.');
  const operatingSystem = process.platform === 'win32' ? 'windows' : process.platform;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${releaseVersion()}+${build}`,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node-${process.version}`,
    compiler: 'v8',
    platform: `${operatingSystem}/${platforms.get(process.arch) ?? process.arch}`,
  };
}
