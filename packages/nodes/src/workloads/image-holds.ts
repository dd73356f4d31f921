import type { Pod } from '@binnacle/client/kinds/core/v1';
import { containersOf, type Hold, NO_IMAGE } from '../pods/index.js';
import type { ImageCommands } from './image-commands.js';

/** Why containers wait whose images have no command. Upstream: the reason and the first sentence of `ErrImageNeverPull`. */
export function imageHolds(pod: Pod, images: ImageCommands): ReadonlyMap<string, Hold> {
  return new Map(
    containersOf(pod).flatMap(({ name, image = '' }) => {
      if (images.find(image) !== undefined) return [];
      const message = `Container image ${JSON.stringify(image)} is not present with pull policy of Never. This node runs programs instead of images: start the server with --image-command '${image}=COMMAND'`;
      return [[name, { reason: NO_IMAGE, message }] as const];
    }),
  );
}
