import { createHash } from 'node:crypto';
import { toEntry, toHar } from '../contracts/har/samples.ts';

type Item = Record<string, unknown>;
type Answer = { status: number; body: unknown };

const base = 'https://orders.example.com/v1';
const key = 'sk_live_2f8d0c11';

/**
 * A service of customers and orders that does what its document does not say: examples/learn has
 * recordings of it. Its clock and its ids follow from the seed.
 */
class OrderService {
  readonly #customers = new Map<string, Item>();
  readonly #orders = new Map<string, Item>();
  readonly #seed: number;
  readonly #entries: unknown[] = [];
  #clock: number;
  #made = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#clock = Date.UTC(2026, 10, seed, 9);
  }

  /** Answers a call and records it; `token` is another key than the right one. */
  call(method: string, path: string, body?: unknown, token = key): Item {
    this.#clock += 1000;
    const answer = this.#answer(method, path, (body ?? {}) as Item, token);
    const json = { name: 'Content-Type', value: 'application/json' };
    this.#entries.push(
      toEntry({
        startedDateTime: new Date(this.#clock).toISOString(),
        request: {
          method,
          url: base + path,
          headers: [{ name: 'Authorization', value: `Bearer ${token}` }, ...(body ? [json] : [])],
          ...(body !== undefined && {
            postData: { mimeType: 'application/json', text: JSON.stringify(body) },
          }),
        },
        response: {
          status: answer.status,
          headers: [json],
          content: {
            size: JSON.stringify(answer.body).length,
            mimeType: 'application/json',
            text: JSON.stringify(answer.body),
          },
        },
      }),
    );
    return answer.body as Item;
  }

  /** All calls so far, as an HTTP Archive. */
  toHar(): string {
    return `${JSON.stringify(JSON.parse(toHar(this.#entries)), undefined, 1)}\n`;
  }

  #answer(method: string, path: string, body: Item, token: string): Answer {
    if (token !== key) return refuse(401, 'unauthorized', 'The key is not valid.');
    const [, noun, id = '', word] = path.split('/');
    const items = noun === 'customers' ? this.#customers : this.#orders;
    if (id === '') return method === 'GET' ? this.#list() : this.#createCustomer(body);
    const item = items.get(id);
    const called = noun === 'customers' ? 'customer' : 'order';
    if (!item) return refuse(404, 'resource_missing', `No such ${called}: '${id}'`);
    if (word === 'orders') return this.#createOrder(item, body);
    if (word === 'finalize') return this.#finalize(item);
    if (method === 'PATCH') Object.assign(item, body);
    return { status: 200, body: { ...item } };
  }

  #list(): Answer {
    return { status: 200, body: [...this.#customers.values()].reverse() };
  }

  #createCustomer({ name = '', email = null }: Item): Answer {
    const isTaken = [...this.#customers.values()].some((one) => one.email === email);
    if (isTaken) return refuse(409, 'email_taken', 'Another customer has this address.');
    const customer = {
      ...{ id: this.#id('cus'), object: 'customer', name, email },
      slug: String(name).toLowerCase().replaceAll(' ', '-'),
      ...{ created: this.#now(), orders_count: 0, livemode: false },
    };
    this.#customers.set(customer.id, customer);
    return { status: 201, body: { ...customer } };
  }

  #createOrder(customer: Item, { note = null, lines = [] }: Item): Answer {
    const amounts = (lines as Item[]).map(({ amount }) => Number(amount));
    const order = {
      ...{ id: this.#id('ord'), object: 'order', customer: customer.id, status: 'draft', note },
      title: `Order of ${customer.name}`,
      total: amounts.reduce((sum, one) => sum + one, 0),
      ...{ lines, created: this.#now(), finalized_at: null },
    };
    this.#orders.set(order.id, order);
    customer.orders_count = Number(customer.orders_count) + 1;
    return { status: 201, body: { ...order } };
  }

  #finalize(order: Item): Answer {
    if (order.status !== 'draft')
      return refuse(409, 'order_not_draft', `The order is ${order.status}.`);
    Object.assign(order, { status: 'open', finalized_at: this.#now() });
    return { status: 200, body: { ...order } };
  }

  #now(): number {
    return Math.floor(this.#clock / 1000);
  }

  #id(prefix: string): string {
    this.#made += 1;
    const digest = createHash('sha256').update(`${this.#seed} ${this.#made}`).digest('base64url');
    return `${prefix}_${digest.replaceAll(/[-_]/g, '').slice(0, 14)}`;
  }
}

function refuse(status: number, code: string, message: string): Answer {
  return { status, body: { error: { code, message } } };
}

const people = ['Ada Kern', 'Ben Ruiz', 'Cleo Vogt', 'Dora Lind', 'Emil Sato', 'Fay Okoro'];

/** Records a client of the service: what it does differs by the seed. */
export function recordOrders(seed: number): string {
  const service = new OrderService(seed);
  const [first = '', second = ''] = people.slice((seed % 3) * 2);
  const toEmail = (name: string) => `${name.split(' ')[0]?.toLowerCase()}${seed}@mail.test`;
  const one = service.call('POST', '/customers', { name: first, email: toEmail(first) });
  const two = service.call('POST', '/customers', { name: second, email: toEmail(second) });
  service.call('POST', '/customers', { name: 'Someone', email: toEmail(first) });
  service.call('GET', `/customers/${one.id}`);
  service.call('PATCH', `/customers/${two.id}`, { name: `${second} Jr` });
  service.call('GET', '/customers');
  service.call('GET', `/customers/cus_gone${seed}`);
  for (const [index, customer] of [one, two, one].entries()) {
    const lines = Array.from({ length: (index + seed) % 3 }, (_, at) => ({
      sku: `sku-${seed}${index}${at}`,
      amount: 100 * (at + 1) + seed,
    }));
    const note = index === 1 ? { note: `Leave it at door ${seed}` } : {};
    const order = service.call('POST', `/customers/${customer.id}/orders`, { lines, ...note });
    service.call('GET', `/orders/${order.id}`);
    service.call('GET', `/customers/${customer.id}`);
    if (index === 2) continue;
    service.call('POST', `/orders/${order.id}/finalize`);
    service.call('GET', `/orders/${order.id}`);
    service.call('POST', `/orders/${order.id}/finalize`);
  }
  service.call('GET', `/orders/ord_gone${seed}`);
  service.call('POST', `/customers/cus_none${seed}/orders`, { lines: [] });
  service.call('GET', '/customers', undefined, 'sk_wrong');
  return service.toHar();
}
