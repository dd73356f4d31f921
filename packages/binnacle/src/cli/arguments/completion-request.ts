export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const completionDescription =
  'print a script that completes commands and options: source it, or save it where the shell looks';
