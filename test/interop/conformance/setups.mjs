/** The setup of each column of the table: whose components surround the server. Those of upstream, unless it says `ours`. */
export const setups = {
  upstream: { title: "upstream's components", makes: {} },
  controllers: { title: 'controller-manager', makes: { controllers: 'ours' } },
  ours: {
    title: 'controller-manager, scheduler, nodes',
    makes: { controllers: 'ours', scheduler: 'ours', nodes: 'ours' },
  },
};
