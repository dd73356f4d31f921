/** The numbers of all nodes are below this. A start checks its options by it, and loads nothing else of this room. */
export const MOST_NODES = 5000;
