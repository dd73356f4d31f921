/**
 * Orders versions by preference: v10, v2, v1, v2beta1, v1beta1, v1alpha1, then all others by name. Upstream:
 * apimachinery `pkg/version.CompareKubeAwareVersionStrings`.
 */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const left = parse(a);
  const right = parse(b);
  if (left === undefined || right === undefined) {
    if (left === right) return a < b ? -1 : 1;
    return left === undefined ? 1 : -1;
  }
  for (const [index, part] of left.entries()) {
    const difference = (right[index] ?? 0) - part;
    if (difference !== 0) return difference;
  }
  return 0;
}

const stages: readonly string[] = ['alpha', 'beta', ''];

/** Stage, major and minor, higher first; undefined for other names. */
function parse(version: string): readonly number[] | undefined {
  const [, major, stage = '', minor = '0'] = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(version) ?? [];
  return major === undefined ? undefined : [stages.indexOf(stage), Number(major), Number(minor)];
}
