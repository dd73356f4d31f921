/** What the last stage of a Containerfile makes: the settings of the image, and what it copies from another stage. */
export function readImage(text) {
  const lines = text
    .slice(text.lastIndexOf('\nFROM '))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const all = (name) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());
  const list = (name) => JSON.parse(all(name).at(-1) ?? '[]');
  return {
    environment: Object.fromEntries(all('ENV').map((setting) => setting.split('='))),
    user: all('USER').at(-1) ?? 'root',
    volumes: all('VOLUME'),
    entryPoint: list('ENTRYPOINT'),
    command: list('CMD'),
    copies: all('COPY').map(copyOf),
  };
}

/** `COPY --from=STAGE --chown=USER --chmod=MODE SOURCE TARGET` */
function copyOf(line) {
  const words = line.split(/ +/);
  const flag = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const [source, target] = words.slice(-2);
  return { source, target, owner: flag('chown'), mode: flag('chmod') };
}
