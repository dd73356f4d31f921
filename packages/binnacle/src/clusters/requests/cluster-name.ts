/** The names that kind allows. Such a name is also safe as a part of a path. */
const NAME = /^[a-z0-9][a-z0-9.-]{0,49}$/;

export const isClusterName = (name: string): boolean => NAME.test(name);
