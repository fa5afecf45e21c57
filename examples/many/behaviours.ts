import { defineBehaviours } from 'petstore-twin';

/** An order is for an account of the other API, whose name it shows. */
export default defineBehaviours({
  async createOrder({ body, items, reply, next }) {
    const account = await items('users.accounts').get(body.account);
    if (!account) return reply.error(422, 'unknown_account', 'There is no such account.');
    const order = await next();
    return items('orders').patch(order.id, { name: account.name });
  },
});
