import { type RawDocument, resolve } from '../description/schema.ts';
import { objectOf } from './schema-shape.ts';

/** A call that the service makes itself; its id differs from that of all others. */
export type Webhook = {
  id: string;
  name: string;
  method: string;
  item: RawDocument;
  node: RawDocument;
};

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** Lists the webhooks of a document; one with several methods is several. */
export function listWebhooks(raw: RawDocument): Webhook[] {
  return Object.entries<RawDocument>(objectOf(raw.webhooks)).flatMap(([name, given]) => {
    const item = objectOf(resolve(raw, given));
    return Object.keys(item)
      .filter((method) => methods.has(method) && item[method] && typeof item[method] === 'object')
      .map((method, index) => ({
        id: index === 0 ? name : `${name} ${method}`,
        name,
        method: method.toUpperCase(),
        item,
        node: item[method],
      }));
  });
}
