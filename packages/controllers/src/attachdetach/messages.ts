import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { WantedVolume } from './wanted.js';

/** The texts of events. Upstream's have the space at the end. */
export function attachedText({ volume }: WantedVolume): string {
  return `AttachVolume.Attach succeeded for volume "${volume.metadata.name ?? ''}" `;
}

export function failedText({ volume }: WantedVolume, why: string): string {
  return `AttachVolume.Attach failed for volume "${volume.metadata.name ?? ''}" : ${why}`;
}

/** The most pods that an event names. */
const MAX_NAMES = 100;

/** `users`: the pods on other nodes that have the volume. They are in the namespace of its claim, as all its pods. */
export function blockedText({ volume }: WantedVolume, users: readonly Pod[]): string {
  const names = users
    .slice(0, MAX_NAMES)
    .map(({ metadata }) => metadata.name ?? '')
    .join(', ');
  const why =
    users.length === 0
      ? "Volume is already exclusively attached to one node and can't be attached to another"
      : `Volume is already used by pod(s) ${names}`;
  return `Multi-Attach error for volume "${volume.metadata.name ?? ''}" ${why}`;
}
