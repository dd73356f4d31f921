import { type Attempt, MAX_NODE_SCORE, type NodeState, type Plugin } from '../../framework/index.js';

const MEBIBYTE = 1024 * 1024;
const LEAST = 23 * MEBIBYTE;
const MOST_OF_A_CONTAINER = 1000 * MEBIBYTE;

/** Prefers nodes that have the pod's images. An image that few nodes have counts less, so that not all pods go to them. */
export const imageLocality: Plugin = { name: 'ImageLocality', score };

function score({ pod, snapshot }: Attempt, node: NodeState): number {
  const { containers, initContainers = [], volumes = [] } = pod.spec;
  const all = [...initContainers, ...containers];
  const images = [...all.map(({ image }) => image), ...volumes.map((volume) => volume.image?.reference)];
  let total = 0;
  for (const image of images) {
    if (image === undefined) continue;
    const name = normalizedName(image);
    const size = node.images.get(name);
    if (size !== undefined) total += Math.floor((size * snapshot.nodesWithImage(name)) / snapshot.nodes.length);
  }
  const most = MOST_OF_A_CONTAINER * all.length;
  const counted = Math.min(Math.max(total, LEAST), most);
  return Math.floor((MAX_NODE_SCORE * (counted - LEAST)) / (most - LEAST));
}

/** Names without a tag mean `latest`. */
function normalizedName(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}
