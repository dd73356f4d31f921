import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { CONFIG_ERROR, containersOf, type Hold } from '../pods/index.js';
import { below } from './mounts.js';
import { unsupportedVolume } from './volume-files.js';

/** Why a volume of the pod is not supported; undefined: all are. */
export function refusedVolume({ spec }: Pod): string | undefined {
  return spec?.volumes?.map(unsupportedVolume).find((problem) => problem !== undefined);
}

/** Holds back containers with fields that a process cannot obey, by container name. Started, they would not do what the pod says. */
export function fieldHolds(pod: Pod): ReadonlyMap<string, Hold> {
  return new Map(
    containersOf(pod).flatMap((container) => {
      const [field] = refusedFields(container);
      if (field === undefined) return [];
      const message = `process nodes run no containers with ${field}`;
      return [[container.name, { reason: CONFIG_ERROR, message }] as const];
    }),
  );
}

function refusedFields({ tty, volumeDevices = [], volumeMounts = [], workingDir = '' }: Container): readonly string[] {
  const paths = [workingDir, ...volumeMounts.flatMap(({ mountPath, subPath = '' }) => [mountPath, subPath])];
  return [
    ...(tty === true ? ['tty'] : []),
    ...(volumeDevices.length === 0 ? [] : ['volumeDevices']),
    ...(volumeMounts.some(({ mountPath }) => below('/', mountPath) === '/') ? ['a volume at /'] : []),
    ...(volumeMounts.some(({ subPathExpr = '' }) => subPathExpr !== '') ? ['subPathExpr'] : []),
    ...(paths.some((path) => path.includes('\0')) ? ['a zero byte in a path'] : []),
  ];
}
