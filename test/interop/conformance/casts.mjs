/** Whose components surround the server in each column of the table: those of upstream, unless it says `ours`. */
export const casts = {
  upstream: { title: "upstream's components", makes: {} },
  controllers: { title: 'controller-manager', makes: { controllers: 'ours' } },
  ours: {
    title: 'controller-manager, scheduler, nodes',
    makes: { controllers: 'ours', scheduler: 'ours', nodes: 'ours' },
  },
};
