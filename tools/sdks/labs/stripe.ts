import { check, equal, type Lab, type Loose, need, refuses } from '../lab.ts';

/** Stripe: customers, prices, payments and subscriptions. */
export const stripe: Lab = {
  name: 'stripe',
  service: 'Stripe',
  sdk: 'stripe@23.1.0',
  document: {
    from: {
      path: 'github.com/stripe/stripe-mock',
      version: 'v0.203.0',
      sums: [
        'h1:EzW7nb/fphqcAkgVRHAaC88OaAZo6SBWSl54cflDTio=',
        'h1:bnoqWmozYcRwQjiZ+w/Rm5Mxs76IAPNQFmoPJMxgAXM=',
      ],
    },
    file: 'embedded/openapi/spec3.json',
  },
  basePath: '',
  connect: `new Stripe('demo-enterprise', { protocol: 'http', host: '127.0.0.1', port: 4010 })`,
  reasons: {
    'ids begin with cus_, prod_ and price_':
      'Only descriptions have ids with a prefix. The overlay has examples of them.',
    'refund the payment':
      'Nothing says that a refund has the amount of its payment unless it has one of its own.',
    'create a subscription':
      'A list of items is sent, and a page of other objects comes back; nothing says how they are made.',
    'create an invoice with an item, and finalize it':
      'Nothing says that what is finalized is `open`.',
    'an unknown customer is a StripeInvalidRequestError 404 resource_missing':
      'The codes of errors are in prose alone.',
  },

  async run({ origin, key, load, step }) {
    const { default: Stripe } = await load('stripe');
    const { hostname: host, port } = new URL(origin);
    const options = { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false };
    const api = new Stripe(key, options);
    const isError = (error: Loose, type: string, status?: number) => {
      const isOf = error instanceof Stripe.errors[type] && error.type === type;
      check(isOf, `class of the error: ${error.type ?? error.constructor.name} ${error.message}`);
      if (status) equal(error.statusCode, status, 'status');
    };
    const made: Partial<Record<'customer' | 'product' | 'price' | 'intent' | 'plan', string>> = {};
    const customer = () => need(made.customer, 'create a customer');
    const product = () => need(made.product, 'create a product and its price');
    const price = () => need(made.price, 'create a product and its price');
    const intent = () => need(made.intent, 'create a payment intent');
    const plan = () => need(made.plan, 'create a subscription');
    const ada = { email: 'ada@example.com', name: 'Ada', metadata: { order: '7' } };

    await step('create a customer', async () => {
      const { id, object, email, name, metadata } = await api.customers.create(ada);
      made.customer = id;
      equal([object, { email, name, metadata }], ['customer', ada]);
    });
    await step('retrieve the customer', async () => {
      const { id, email, name, metadata } = await api.customers.retrieve(customer());
      equal([id, { email, name, metadata }], [made.customer, ada]);
    });
    await step('update the name, and keep the rest', async () => {
      const { name, email } = await api.customers.update(customer(), { name: 'Ada L.' });
      equal([name, email], ['Ada L.', ada.email]);
    });
    await step('merge metadata, and remove a key with ""', async () => {
      const merged = await api.customers.update(customer(), { metadata: { a: '1' } });
      equal(merged.metadata, { order: '7', a: '1' }, 'merged');
      const removed = await api.customers.update(customer(), { metadata: { order: '' } });
      equal(removed.metadata, { a: '1' }, 'removed');
    });
    await step('list customers by email', async () => {
      const { object, data } = await api.customers.list({ email: ada.email });
      equal([object, ids(data)], ['list', [made.customer]]);
    });
    await step('list the newest customer first', async () => {
      const { data } = await api.customers.list({ limit: 1 });
      equal(data[0].id, made.customer, 'first');
    });
    await step('page to the end with autoPagingToArray', async () => {
      const expected = [made.customer];
      for (const n of [1, 2, 3, 4, 5])
        expected.push((await api.customers.create({ name: `Customer ${n}` })).id);
      const all = ids(await api.customers.list({ limit: 2 }).autoPagingToArray({ limit: 500 }));
      for (const id of expected) check(all.includes(id), `${id} is not among ${all.length}`);
      equal(new Set(all).size, all.length, 'distinct');
    });
    await step('page to the end with for await', async () => {
      let count = 0;
      for await (const one of api.customers.list({ limit: 3 })) if (++count > 200 || !one) break;
      check(count >= 6 && count < 200, `${count} customers`);
    });
    await step('create a product and its price', async () => {
      const gold = await api.products.create({ name: 'Gold' });
      made.product = gold.id;
      const monthly = { unit_amount: 1000, currency: 'usd', recurring: { interval: 'month' } };
      const created = await api.prices.create({ product: gold.id, ...monthly });
      made.price = created.id;
      const { unit_amount, currency, recurring } = created;
      equal([created.product, unit_amount, currency], [gold.id, 1000, 'usd']);
      equal(recurring?.interval, 'month', 'interval');
      equal([gold.active, created.type], [true, 'recurring'], 'active, type');
    });
    await step('ids begin with cus_, prod_ and price_', async () => {
      const prefixes = { customer: 'cus_', product: 'prod_', price: 'price_' } as const;
      for (const [name, prefix] of Object.entries(prefixes)) {
        const id = made[name as keyof typeof prefixes];
        check(id?.startsWith(prefix), `id of the ${name}: ${id}`);
      }
    });
    await step('expand the product of the price', async () => {
      const { product } = await api.prices.retrieve(price(), { expand: ['product'] });
      equal([product?.id, product?.name], [made.product, 'Gold']);
    });
    await step('list the prices of the product', async () => {
      const { data } = await api.prices.list({ product: product() });
      equal(ids(data), [made.price]);
    });
    await step('create a payment intent', async () => {
      const payment = { amount: 2000, currency: 'usd', customer: customer() };
      const created = await api.paymentIntents.create({
        ...payment,
        payment_method_types: ['card'],
      });
      made.intent = created.id;
      equal([created.amount, created.currency, created.customer], Object.values(payment));
      equal(created.status, 'requires_payment_method', 'status');
      check(created.client_secret, 'no client_secret');
    });
    await step('confirm the payment, which succeeds', async () => {
      const card = { payment_method: 'pm_card_visa' };
      const { id, status } = await api.paymentIntents.confirm(intent(), card);
      equal([id, status], [made.intent, 'succeeded'], 'id, status');
      const read = await api.paymentIntents.retrieve(intent());
      equal(read.status, 'succeeded', 'status, read back');
    });
    await step('list the payment intents of the customer', async () => {
      const { data } = await api.paymentIntents.list({ customer: customer() });
      equal(ids(data), [made.intent]);
    });
    await step('refund the payment', async () => {
      const refund = await api.refunds.create({ payment_intent: intent() });
      equal([refund.object, refund.payment_intent], ['refund', made.intent]);
      equal([refund.amount, refund.status], [2000, 'succeeded'], 'amount, status');
    });
    await step('create a subscription', async () => {
      const items = [{ price: price() }];
      const created = await api.subscriptions.create({ customer: customer(), items });
      made.plan = created.id;
      equal(created.customer, made.customer, 'customer');
      equal(
        created.items.data.map((item: Loose) => item.price.id),
        [made.price],
        'items',
      );
      equal(created.status, 'active', 'status');
    });
    await step("update the subscription's metadata", async () => {
      await api.subscriptions.update(plan(), { metadata: { plan: 'gold' } });
      equal((await api.subscriptions.retrieve(plan())).metadata, { plan: 'gold' });
    });
    await step('list the subscriptions of the customer with status "all"', async () => {
      const query = { customer: customer(), status: 'all' };
      equal(ids((await api.subscriptions.list(query)).data), [plan()]);
    });
    await step('cancel the subscription', async () => {
      equal((await api.subscriptions.cancel(plan())).status, 'canceled', 'status');
      equal((await api.subscriptions.retrieve(plan())).status, 'canceled', 'read back');
    });
    await step('create an invoice with an item, and finalize it', async () => {
      const item = { customer: customer(), amount: 500, currency: 'usd' };
      equal((await api.invoiceItems.create(item)).customer, made.customer, 'customer of the item');
      const { id, ...invoice } = await api.invoices.create({ customer: customer() });
      equal([invoice.customer, invoice.status], [made.customer, 'draft'], 'customer, status');
      equal((await api.invoices.finalizeInvoice(id)).status, 'open', 'finalized');
    });
    await step("create, list and delete a customer's tax id", async () => {
      const vat = { type: 'eu_vat', value: 'DE123456789' };
      const { id, type, value } = await api.customers.createTaxId(customer(), vat);
      equal({ type, value }, vat);
      equal(ids((await api.customers.listTaxIds(customer())).data), [id], 'list');
      equal((await api.customers.deleteTaxId(customer(), id)).deleted, true, 'deleted');
      equal(ids((await api.customers.listTaxIds(customer())).data), [], 'list after that');
    });
    await step('create a coupon with an id of its own', async () => {
      await api.coupons.create({ id: 'LAB25', percent_off: 25, duration: 'once' });
      const { id, percent_off, duration } = await api.coupons.retrieve('LAB25');
      equal([id, percent_off, duration], ['LAB25', 25, 'once']);
    });
    await step('create a payment method, attach and list it', async () => {
      const card = { type: 'card', card: { token: 'tok_visa' } };
      const { id, type } = await api.paymentMethods.create(card);
      equal(type, 'card', 'type');
      const attached = await api.paymentMethods.attach(id, { customer: customer() });
      equal(attached.customer, made.customer, 'customer');
      const { data } = await api.paymentMethods.list({ customer: customer(), type: 'card' });
      check(ids(data).includes(id), 'not listed');
    });
    await step('create a webhook endpoint and list it', async () => {
      const hook = { url: 'https://example.com/hook', enabled_events: ['charge.succeeded'] };
      const { id, url, enabled_events } = await api.webhookEndpoints.create(hook);
      equal({ url, enabled_events }, hook);
      check(ids((await api.webhookEndpoints.list()).data).includes(id), 'not listed');
    });
    await step('create a checkout session and retrieve it', async () => {
      const wanted = { mode: 'payment', success_url: 'https://example.com/ok' };
      const line_items = [{ price: made.price ?? 'price_1', quantity: 1 }];
      const { id } = await api.checkout.sessions.create({ ...wanted, line_items });
      const { mode, success_url, ...session } = await api.checkout.sessions.retrieve(id);
      equal([session.id, { mode, success_url }], [id, wanted]);
      equal(session.status, 'open', 'status');
    });
    await step('search for customers', async () => {
      const { data } = await api.customers.search({ query: `email:'${ada.email}'` });
      equal(ids(data), [made.customer]);
    });
    await step('the same create twice with an idempotency key makes one', async () => {
      const once = () => api.customers.create({ name: 'Once' }, { idempotencyKey: 'lab-1' });
      const [first, second] = [await once(), await once()];
      equal(first.id, second.id, 'id');
    });
    await step('an unknown customer is a StripeInvalidRequestError 404 resource_missing', () =>
      refuses(
        () => api.customers.retrieve('cus_nope'),
        (error) => {
          isError(error, 'StripeInvalidRequestError', 404);
          equal(error.code, 'resource_missing', 'code');
          const { message } = error;
          check(message.length > 5 && !message.includes('undefined'), `message: ${message}`);
        },
      ),
    );
    await step('a price without currency is a StripeInvalidRequestError 400 with its param', () =>
      refuses(
        () => api.prices.create({ unit_amount: 5 }),
        (error) => {
          isError(error, 'StripeInvalidRequestError', 400);
          check(error.message.includes('currency'), `message: ${error.message}`);
          equal(error.param, 'currency', 'param');
        },
      ),
    );
    await step('a payment of an unknown customer is a StripeInvalidRequestError', () =>
      refuses(
        () => api.paymentIntents.create({ amount: 100, currency: 'usd', customer: 'cus_nope' }),
        (error) => isError(error, 'StripeInvalidRequestError'),
      ),
    );
    await step('a wrong key is a StripeAuthenticationError 401', () =>
      refuses(
        () => new Stripe('sk_test_wrong', options).customers.list(),
        (error) => isError(error, 'StripeAuthenticationError', 401),
      ),
    );
    await step('delete the customer, which is retrieved as deleted', async () => {
      equal((await api.customers.del(customer())).deleted, true, 'deleted');
      const { id, deleted } = await api.customers.retrieve(customer());
      equal([id, deleted], [made.customer, true]);
    });
    await step('a deleted customer is not listed', async () => {
      const { data } = await api.customers.list({ limit: 100 });
      check(!ids(data).includes(customer()), 'listed');
    });
  },
};

const ids = (list: Loose[]) => list.map(({ id }) => id);
