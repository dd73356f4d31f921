import { type IpPrefix, parseIpPrefix } from '@binnacle/apimachinery/validation';
import type { LoopSettings } from './loop-settings.js';
import { SettingsError } from './settings-error.js';

/** A range of addresses for pods, and the length of the prefix that each node gets out of it. */
export interface NodeBlocks {
  readonly range: IpPrefix;
  readonly blockLength: number;
}

const BLOCK_LENGTHS = { 4: 24, 6: 64 } as const;
/** A range has up to 65,536 blocks. Upstream: `clusterSubnetMaxDiff`, which upstream applies only to IPv6. */
const MOST_BITS = 16;

/** Throws a {@link SettingsError} for ranges that nodes cannot share. Upstream: kube-controller-manager `app`, setNodeCIDRMaskSizes. */
export function nodeBlocksOf(settings: LoopSettings): readonly NodeBlocks[] {
  const ranges = rangesOf(settings.clusterCidr ?? '');
  const lengths = blockLengths(settings, ranges);
  return ranges.map((range) => {
    const blockLength = lengths[range.address.family];
    const bits = blockLength - range.length;
    if (bits >= 0 && bits <= MOST_BITS && blockLength <= range.address.bytes.length * 8) return { range, blockLength };
    throw new SettingsError(
      `--cluster-cidr: a range of length ${range.length} cannot be divided into blocks of /${blockLength}: ` +
        `give --node-cidr-mask-size from ${range.length} to ${Math.min(range.length + MOST_BITS, range.address.bytes.length * 8)}`,
    );
  });
}

function rangesOf(list: string): readonly IpPrefix[] {
  const texts = list.split(',').map((text) => text.trim());
  const ranges = texts.map((text) => {
    const range = parseIpPrefix(text);
    if (range !== undefined) return range;
    throw new SettingsError(`--cluster-cidr ${JSON.stringify(text)} is not a CIDR, such as 10.1.0.0/16`);
  });
  const [first, second] = ranges.map(({ address }) => address.family);
  if (ranges.length <= 2 && first !== second) return ranges;
  throw new SettingsError(`--cluster-cidr ${JSON.stringify(list)} must hold one range, or one of each family`);
}

/** The lengths of node ranges. As upstream, 0 means the default. */
function blockLengths(settings: LoopSettings, ranges: readonly IpPrefix[]): { readonly 4: number; readonly 6: number } {
  const { nodeCidrMaskSize: size = 0, nodeCidrMaskSizeIPv4: size4 = 0, nodeCidrMaskSizeIPv6: size6 = 0 } = settings;
  if (size !== 0 && ranges.length > 1) {
    throw new SettingsError(
      'usage of --node-cidr-mask-size is not allowed with dual-stack clusters: give --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6',
    );
  }
  if (size !== 0 && (size4 !== 0 || size6 !== 0)) {
    throw new SettingsError(
      'usage of --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 is not allowed if --node-cidr-mask-size is set',
    );
  }
  for (const [family, given] of [
    [4, size4],
    [6, size6],
  ] as const) {
    if (given === 0 || ranges.some(({ address }) => address.family === family)) continue;
    throw new SettingsError(
      `usage of --node-cidr-mask-size-ipv${family} is not allowed without an IPv${family} range in --cluster-cidr`,
    );
  }
  return { 4: size || size4 || BLOCK_LENGTHS[4], 6: size || size6 || BLOCK_LENGTHS[6] };
}
