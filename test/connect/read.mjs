import { get } from 'node:http';

/** The text at a URL. */
export function read(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => (text += piece));
      response.on('end', () => resolve(text)).on('error', reject);
    }).on('error', reject);
  });
}
