// npx petstore-twin mock --spec openapi.yaml --behaviours behaviours.ts --watch
import { defineBehaviours } from 'petstore-twin';

export default defineBehaviours({
  async createOrder({ body, items, next, after, reply }) {
    const pet = await items('pets').get(body.petId);
    if (pet?.status !== 'available')
      return reply.error(409, 'pet_not_available', 'This pet is not for sale.');
    const order = await next(); // what the twin does by itself
    await items('pets').patch(body.petId, { status: 'pending' });
    after({ days: 1 }, 'deliver', { orderId: order.id });
    return order;
  },

  async cancelOrder({ params, items, next, reply }) {
    const order = await items('orders').get(params.orderId);
    if (order?.status === 'delivered')
      return reply.error(409, 'order_delivered', 'A delivered order cannot be cancelled.');
    if (order) await items('pets').patch(order.petId, { status: 'available' });
    return next();
  },

  tasks: {
    async deliver({ orderId }, { items }) {
      const order = await items('orders').get(orderId);
      if (order?.status !== 'placed') return;
      await items('orders').patch(orderId, { status: 'delivered' });
      await items('pets').patch(order.petId, { status: 'sold' });
    },
  },
});
