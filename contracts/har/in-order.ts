import type { RecordedExchange } from '../traffic/recorded-exchange.ts';

/** How many exchanges may wait for an earlier one, and how many bytes of bodies. */
const maxWaiting = 1000;
const maxBytes = 16 * 1024 * 1024;

/**
 * Puts exchanges in the order in which they were sent. Recorders write an entry when its response has
 * come, so only exchanges that overlap are out of order: those that wait are few, and bounded.
 */
export function createOrder() {
  let waiting: RecordedExchange[] = [];
  let bytes = 0;
  const leave = (count: number) => {
    const left = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const exchange of left) bytes -= sizeOf(exchange);
    return left;
  };
  return {
    /** Takes one, and gives those for which no earlier one is awaited any more. */
    add(exchange: RecordedExchange): RecordedExchange[] {
      const after = waiting.findLastIndex(({ sentAt }) => sentAt <= exchange.sentAt);
      waiting.splice(after + 1, 0, exchange);
      bytes += sizeOf(exchange);
      const isFull = bytes > maxBytes || waiting.length > maxWaiting;
      return isFull ? leave(Math.ceil(waiting.length / 2)) : [];
    },
    /** Those that still wait. */
    end: () => leave(waiting.length),
  };
}

function sizeOf({ request, response }: RecordedExchange): number {
  return (request.body?.bytes.length ?? 0) + (response?.body.bytes.length ?? 0);
}
