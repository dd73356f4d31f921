const alphanumeric = '[a-z0-9]+';
const pathComponent = `${alphanumeric}(?:(?:[._]|__|-+)${alphanumeric})*`;
const hostLabel = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)';
const host = `(?:${hostLabel}(?:\\.${hostLabel})*|\\[[a-fA-F0-9:]+\\])`;
const referencePattern = new RegExp(
  `^((?:${host}(?::[0-9]+)?/)?${pathComponent}(?:/${pathComponent})*)(?::(\\w[\\w.-]{0,127}))?$`,
);
const identifierPattern = /^[a-f0-9]{64}$/;
const longestName = 255;
const longestTag = 128;

/**
 * Whether the default pull policy is Always: the tag is `latest` or absent. False for a reference with a digest and for
 * a malformed one, which validation reports.
 *
 * Upstream: `ParseImageName`, over the reference grammar of the distribution project.
 */
export function isLatestImage(image: string): boolean {
  if (image === '') return false;
  if (image.length > longestName + longestTag + 1 || image.includes('@') || identifierPattern.test(image)) return false;
  const reference = referencePattern.exec(withDefaultHost(image));
  if (reference === null) return false;
  const [, name = '', tag] = reference;
  return name.length <= longestName && (tag === undefined || tag === 'latest');
}

/**
 * `nginx` means `docker.io/library/nginx`: the part before the first slash is a host only if it looks like one. Upstream: distribution
 * `reference.splitDockerDomain`.
 */
export function withDefaultHost(image: string): string {
  const slash = image.indexOf('/');
  const first = slash < 0 ? '' : image.slice(0, slash);
  const isHost = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  const domain = isHost ? first : 'docker.io';
  const path = isHost ? image.slice(slash + 1) : image;
  return `${domain}/${domain === 'docker.io' && !path.includes('/') ? `library/${path}` : path}`;
}
