import { type Attempt, MAX_NODE_SCORE, type NodeState, type Plugin, StateKey } from '../../framework/index.js';

const MEBIBYTE = 1024 * 1024;
const LEAST = 23 * MEBIBYTE;
const MOST_OF_A_CONTAINER = 1000 * MEBIBYTE;

/** Prefers nodes that have the pod's images. An image that few nodes have counts less, so that not all pods go to them. */
export const imageLocality: Plugin = { name: 'ImageLocality', score };

interface Images {
  /** Those that a node has, as often as the pod names them, with the number of nodes that have them. */
  readonly present: readonly { readonly name: string; readonly nodes: number }[];
  /** Bytes that give the highest score. */
  readonly most: number;
}

const imagesKey = new StateKey<Images>();

function score(attempt: Attempt, node: NodeState): number {
  const { present, most } = attempt.state.read(imagesKey) ?? findImages(attempt);
  let total = 0;
  for (const { name, nodes } of present) {
    const size = node.images.get(name);
    if (size !== undefined) total += Math.floor((size * nodes) / attempt.snapshot.nodes.length);
  }
  const counted = Math.min(Math.max(total, LEAST), most);
  return Math.floor((MAX_NODE_SCORE * (counted - LEAST)) / (most - LEAST));
}

/** The same for all nodes, so the first one that is scored finds them for the attempt. */
function findImages({ pod, snapshot, state }: Attempt): Images {
  const { containers, initContainers = [], volumes = [] } = pod.spec;
  const all = [...initContainers, ...containers];
  const named = [...all.map(({ image }) => image), ...volumes.map((volume) => volume.image?.reference)];
  const present = named.flatMap((image) => {
    if (image === undefined) return [];
    const name = normalizedName(image);
    const nodes = snapshot.nodesWithImage(name);
    return nodes === 0 ? [] : [{ name, nodes }];
  });
  const images = { present, most: MOST_OF_A_CONTAINER * all.length };
  state.write(imagesKey, images);
  return images;
}

/** Names without a tag mean `latest`. */
function normalizedName(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}
