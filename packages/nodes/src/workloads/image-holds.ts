import type { Pod } from '@binnacle/client/kinds/core/v1';
import { type Hold, NO_IMAGE } from '../pods/index.js';
import type { ImageCommands } from './image-commands.js';

/** Why containers wait whose images have no command. Upstream: the reason and the first sentence of `ErrImageNeverPull`. */
export function imageHolds({ spec }: Pod, images: ImageCommands): ReadonlyMap<string, Hold> {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  return new Map(
    [initContainers, containers, ephemeralContainers].flat().flatMap(({ name, image = '' }) => {
      if (images.find(image) !== undefined) return [];
      const message = `Container image ${JSON.stringify(image)} is not present with pull policy of Never. This node runs programs instead of images: start the server with --image-command '${image}=COMMAND'`;
      return [[name, { reason: NO_IMAGE, message }] as const];
    }),
  );
}
