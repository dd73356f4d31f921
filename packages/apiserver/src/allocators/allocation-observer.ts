/** `static`: the client has asked for this address or port. */
export type AllocationScope = 'static' | 'dynamic';

/** Receives the claims of cluster IPs and node ports, without those of dry runs. It must not throw. */
export interface AllocationObserver {
  /** `cidr`: the range of the address. */
  addressClaimed(cidr: string, scope: AllocationScope, seconds: number): void;
  addressRefused(cidr: string, scope: AllocationScope): void;
  portClaimed(scope: AllocationScope): void;
  portRefused(scope: AllocationScope): void;
}

export interface RangeUsage {
  readonly allocated: number;
  readonly available: number;
}

/** How much of the ranges is allocated, as far as this server has read it. */
export interface AllocationUsage {
  /** By CIDR. */
  readonly addresses: ReadonlyMap<string, RangeUsage>;
  readonly ports: RangeUsage | undefined;
}
