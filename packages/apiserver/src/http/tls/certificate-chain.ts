import type { Certificate } from './certificate.js';
import { hasSigned } from './certificate-signature.js';

/** Begins with the certificate of a client and ends with a trusted one. */
export type Chain = readonly Certificate[];

/** Bounds the work for certificates that all have the same name. Upstream: Go's `maxChainSignatureChecks`. */
const MOST_CANDIDATES = 100;

/**
 * The valid chains of a client's certificate. The next certificate signs each one. Each respects its path length, allows
 * client authentication, and has no unknown critical extension. The caller checks the validity periods.
 * Upstream: Go's `crypto/x509` Verify.
 */
export function chainsOf(
  leaf: Certificate,
  intermediates: readonly Certificate[],
  anchors: readonly Certificate[],
): Chain[] {
  return candidateChains(leaf, intermediates, anchors).filter((chain) =>
    chain.every((each, index) => each.isForClients && !each.isUnhandled && each.pathLength >= index - 1),
  );
}

function candidateChains(
  leaf: Certificate,
  intermediates: readonly Certificate[],
  anchors: readonly Certificate[],
): Chain[] {
  if (anchors.some((anchor) => anchor.x509.raw.equals(leaf.x509.raw))) return [[leaf]];
  const chains: Chain[] = [];
  let candidates = 0;
  const extend = (chain: Chain, child: Certificate): void => {
    const vouches = (parent: Certificate, may: boolean): boolean =>
      ++candidates <= MOST_CANDIDATES && may && !chain.some((each) => isSame(each, parent)) && hasSigned(parent, child);
    const parents = (pool: readonly Certificate[]) => pool.filter(({ subject }) => subject.equals(child.issuer));
    for (const anchor of parents(anchors)) {
      if (vouches(anchor, anchor.mayIssue.asAnchor)) chains.push([...chain, anchor]);
    }
    for (const parent of parents(intermediates)) {
      if (vouches(parent, parent.mayIssue.asIntermediate)) extend([...chain, parent], parent);
    }
  };
  extend([leaf], leaf);
  return chains;
}

function isSame(one: Certificate, other: Certificate): boolean {
  return one.subject.equals(other.subject) && one.publicKey.equals(other.publicKey);
}
