import { type Finding, containersOf, named, namesOf, type PodToCheck, quotedSet } from './check.js';

/** The masked parts of /proc must remain masked. */
export function checkProcMount({ spec }: PodToCheck): Finding | undefined {
  const mounts = containersOf(spec).filter(
    ({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default',
  );
  if (mounts.length === 0) return undefined;
  const types = mounts.map(({ securityContext }) => securityContext?.procMount ?? '');
  return {
    reason: 'procMount',
    detail: `${named(namesOf(mounts))} must not set securityContext.procMount to ${quotedSet(types)}`,
  };
}
